import type { Price } from './price'
import Base, { one,
  two } from './base';
import './side'
export type { Price } from './price'
export { Shop as Store, type Z,
  default as Door } from "./m"
export * from './all'
export * as ns from './ns'
import { a,
  b } from './x'
// function hidden() {}
export interface Item<T = string> {
  readonly id: T
  price(tax: number): number;
  tags?: string[]
}

export type Pair = { left: number; right: string } | null

export enum Color { Red = 1, Green }

const limit = 3
export const factor: number = 2

export const add = async (x: number, y = { a: 1 }): Promise<number> => {
  return x + y.a
}
const short = (x: number) => x * 2
const old = function (x) { return /[{]"/.test(x) ? `a ${x ? `{b}` : '}'} {` : x / 2 }

@decorated({ a: [1, 2] })
export abstract class Shop<T extends Item>
  extends Base<T>
  implements Other {
  private items: Map<string, T> = new Map()
  static #count = 0

  constructor(private readonly name: string, { a, b }: Opts = {}) {
    super()
    if (name) { this.go() }
  }

  abstract size(): number
  get first(): T | undefined { return undefined }
  async *walk(): AsyncGenerator<T> {
    for (const x of this.items) { yield x }
  }
  handler = (e: Event) => {
    return e
  }
}

declare module "x" {
  function inside(a: string): void
}

namespace Deep.Er {
  export function far() {}
}

export default function main(args: string[]): void {
  function local() {}
}
describe('x', () => { it('y', function () {}) })

export { hidden as seen }
function hidden() { return { one } }
export default hidden
const lazy = await import('./x')
export const made: Maker<Item> = build("made", (x, y) => { return x + y })
export const typed: (x: number) => string = (x) => String(x)
