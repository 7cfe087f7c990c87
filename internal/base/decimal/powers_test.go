package decimal

import (
	"math/big"
	"testing"
)

// TestPowers makes the powers of ten again, exactly.
func TestPowers(t *testing.T) {
	for k := minPower; k <= maxPower; k++ {
		num, den := big.NewInt(1), big.NewInt(1)
		if ten := big.NewInt(10); k >= 0 {
			num.Exp(ten, big.NewInt(int64(k)), nil)
		} else {
			den.Exp(ten, big.NewInt(int64(-k)), nil)
		}
		want, rest := new(big.Int), new(big.Int)
		for shift := uint(0); want.BitLen() < 128; shift++ { // as many bits as are cut off again
			want.QuoRem(new(big.Int).Lsh(num, shift), den, rest)
		}
		if cut := uint(want.BitLen() - 128); cut > 0 {
			rest.SetBit(rest, 0, rest.Bit(0)|uint(min(1, new(big.Int).Mod(want, new(big.Int).Lsh(big.NewInt(1), cut)).BitLen())))
			want.Rsh(want, cut)
		}
		if rest.Sign() > 0 {
			want.Add(want, big.NewInt(1))
		}
		p := powers[k-minPower]
		got := new(big.Int).Lsh(new(big.Int).SetUint64(p.hi), 64)
		if got.Or(got, new(big.Int).SetUint64(p.lo)).Cmp(want) != 0 {
			t.Fatalf("10^%d is %x, not %x", k, got, want)
		}
	}
}
