/** Loads the program and the vocabularies, once; about 0.3 s. */
export function init(): Promise<Wirekit>

/** A document: text, or the bytes of a binary format. */
export type Document = string | Uint8Array

/** A counter of tokens. */
export type Counter = 'o200k_base' | 'cl100k_base' | 'claude-estimate' | 'claude-4.7-estimate' | 'gemini-estimate'

export interface Wirekit {
  /** The formats and their variants, in the order of comparisons. */
  formats(): Format[]
  /**
   * Converts a document to the format of a name such as "gcf", "glyph:canonical" or "gcf+fold". The result is a
   * string, or bytes if the format is binary. Without from the format is detected.
   * @throws {WirekitError}
   */
  convert(document: Document, to: string, options?: { from?: string }): string | Uint8Array
  /**
   * Measures a document in every format; with all in the variants too.
   * @throws {WirekitError}
   */
  compare(document: Document, options?: { from?: string; counter?: Counter; all?: boolean }): Comparison
  /**
   * The document as the text with the fewest tokens that loses nothing: compact JSON unless another format saves
   * minSaving, a part below 1 (0.05).
   * @throws {WirekitError}
   */
  smallest(document: Document, options?: { from?: string; counter?: Counter; minSaving?: number }): { format: string; tokens: number; text: string }
  /** Counts the tokens of a text. */
  count(text: Document, options?: { counter?: Counter }): number
}

export interface Format {
  name: string
  title: string
  version: string
  binary: boolean
  variant: boolean
  /** Which values the format can carry; "" for all. */
  accepts: string
}

export interface Comparison {
  /** The document's format. */
  format: string
  bytes: number
  formats: Measurement[]
}

export interface Measurement {
  format: string
  binary: boolean
  /** Why the format cannot carry the document; the figures are then missing. */
  refused?: string
  bytes?: number
  gzip?: number
  /** Missing for binary formats. */
  tokens?: number
  /** Whether the counts are the tokenizer's own, not an estimate. */
  exact?: boolean
  lossless: boolean
  loss?: string
  /** The JSON pointer of the first difference. */
  loss_at?: string
  /** Of one run. */
  encode_ms?: number
  decode_ms?: number
}

/** What is wrong with a document, and where. */
export class WirekitError extends Error {
  format?: string
  code?: string
  hint?: string
  path?: string
  /** Counted from 1. */
  line?: number
  /** In characters, counted from 1. */
  column?: number
  /** In bytes. */
  offset?: number
  /** In UTF-16 code units, as JavaScript counts. */
  at?: number
  /** The line, and below it a caret. */
  excerpt?: string
}
