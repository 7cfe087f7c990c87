<?php
namespace App\Shop;
// function hidden() {}
abstract class Order extends Base implements Countable
{
    private array $lines = ['{'];
    public function __construct(private int $id, ?string $name = null) {}
    abstract protected function total(): int;
    public static function make(): static { return new static(1); }
}
interface Priced { public function price(int $tax): int; }
trait Logs { function log($x) { echo "}"; } }
function helper(array $a) {
    $f = function ($x) use ($a) { return $x; };
}
