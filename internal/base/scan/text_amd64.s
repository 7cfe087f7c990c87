//go:build !purego

#include "textflag.h"

// Sixteen bytes at a time, with the instructions that every amd64 has (SSE2). Memory
// is read and written inside of the slices only.
//
// A byte b becomes b^0x82, as a signed number: below -95 if b is a control character
// or a quotation mark (which the bit of 2 takes to 0x20), at least -95 if it is
// other ASCII, and not negative beyond ASCII.

#define FLIP 0x8282828282828282
#define BOUND 0xA1A1A1A1A1A1A1A1
#define SLASH 0xDEDEDEDEDEDEDEDE

DATA consts<>+0(SB)/8, $FLIP
DATA consts<>+8(SB)/8, $FLIP
DATA consts<>+16(SB)/8, $BOUND
DATA consts<>+24(SB)/8, $BOUND
DATA consts<>+32(SB)/8, $SLASH
DATA consts<>+40(SB)/8, $SLASH
GLOBL consts<>(SB), RODATA|NOPTR, $48

// kept<>+16-n begins with n bytes of ones, of sixteen.
DATA kept<>+0(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA kept<>+8(SB)/8, $0xFFFFFFFFFFFFFFFF
DATA kept<>+16(SB)/8, $0
DATA kept<>+24(SB)/8, $0
GLOBL kept<>(SB), RODATA|NOPTR, $32

// BEGIN sets X5 to X7 to the constants; X8 will have a byte without its highest bit
// for each that is beyond ASCII, and R8 for those that are looked at one by one.
#define BEGIN \
	MOVOU   consts<>+0(SB), X5  \
	MOVOU   consts<>+16(SB), X6 \
	MOVOU   consts<>+32(SB), X7 \
	PCMPEQB X8, X8              \
	XORL    R8, R8

// STOPS sets the bytes of stops where bytes has one to stop at. It changes both.
#define STOPS(bytes, stops) \
	PXOR    X5, bytes    \
	PAND    bytes, X8    \
	MOVO    X6, stops    \
	PCMPGTB bytes, stops \
	PCMPEQB X7, bytes    \
	POR     bytes, stops

// ONE sets DX to the byte at AX, or goes to done if it is one to stop at.
#define ONE \
	MOVBLZX (SI)(AX*1), DX \
	CMPL    DX, $0x20      \
	JLT     done           \
	CMPL    DX, $0x22      \
	JEQ     done           \
	CMPL    DX, $0x5C      \
	JEQ     done           \
	ORL     DX, R8

// BEYOND sets DX to ones if there was a byte beyond ASCII, and to 0 otherwise.
#define BEYOND \
	PMOVMSKB X8, DX      \
	XORL     $0xFFFF, DX \
	ANDL     $0x80, R8   \
	ORL      R8, DX      \
	NEGL     DX          \
	SBBQ     DX, DX

// func TextEnd(b []byte, i int) (end int, beyond uint64)
TEXT ·TextEnd(SB), NOSPLIT, $0-48
	MOVQ b_base+0(FP), SI
	MOVQ b_len+8(FP), CX
	MOVQ i+24(FP), AX
	LEAQ end+32(FP), DI
	JMP  textEnd<>(SB)

// func longStringEnd(s string, i int) (end int, beyond uint64)
TEXT ·longStringEnd(SB), NOSPLIT, $0-40
	MOVQ s_base+0(FP), SI
	MOVQ s_len+8(FP), CX
	MOVQ i+16(FP), AX
	LEAQ end+24(FP), DI
	JMP  textEnd<>(SB)

// textEnd looks at the CX bytes at SI from the one at AX on. The results go to DI.
TEXT textEnd<>(SB), NOSPLIT, $0
	BEGIN
	SUBQ $32, CX
	CMPQ AX, CX
	JGT  half

whole:
	MOVOU    (SI)(AX*1), X0
	MOVOU    16(SI)(AX*1), X2
	STOPS(X0, X1)
	STOPS(X2, X3)
	MOVO     X1, X4
	POR      X3, X4
	PMOVMSKB X4, DX
	TESTL    DX, DX
	JNE      inWhole
	ADDQ     $32, AX
	CMPQ     AX, CX
	JLE      whole

half:
	ADDQ     $16, CX
	CMPQ     AX, CX
	JGT      rest
	MOVOU    (SI)(AX*1), X0
	STOPS(X0, X1)
	PMOVMSKB X1, DX
	TESTL    DX, DX
	JNE      inHalf
	ADDQ     $16, AX

rest: // with those before, as long as there are sixteen
	TESTQ    CX, CX
	JLT      few
	MOVOU    (SI)(CX*1), X0
	STOPS(X0, X1)
	PMOVMSKB X1, DX
	ORL      $0x10000, DX // what ends the text if nothing else does
	SUBQ     CX, AX
	XCHGQ    AX, CX
	SHRL     CX, DX
	ADDQ     CX, AX
	JMP      inHalf

few:
	ADDQ $16, CX

single:
	CMPQ    AX, CX
	JGE     done
	ONE
	INCQ    AX
	JMP     single

inWhole:
	PMOVMSKB X1, DX
	PMOVMSKB X3, BX
	SHLL     $16, BX
	ORL      BX, DX

inHalf:
	BSFL DX, DX
	ADDQ DX, AX

done:
	BEYOND
	MOVQ AX, (DI)
	MOVQ DX, 8(DI)
	RET

// func moveText(dst []byte, s string, i int) (end int, beyond uint64)
TEXT ·moveText(SB), NOSPLIT, $0-64
	MOVQ dst_base+0(FP), DI
	MOVQ s_base+24(FP), SI
	MOVQ s_len+32(FP), CX
	MOVQ i+40(FP), AX
	BEGIN
	SUBQ AX, DI // where s[i] goes is (DI)(AX)
	SUBQ $16, CX
	CMPQ AX, CX
	JGT  rest

next:
	MOVOU    (SI)(AX*1), X0
	MOVO     X0, X2
	STOPS(X0, X1)
	PMOVMSKB X1, DX
	TESTL    DX, DX
	JNE      last
	MOVOU    X2, (DI)(AX*1)
	ADDQ     $16, AX
	CMPQ     AX, CX
	JLE      next

rest:
	ADDQ $16, CX

single:
	CMPQ    AX, CX
	JGE     done
	ONE
	MOVB    DX, (DI)(AX*1)
	INCQ    AX
	JMP     single

last: // of sixteen bytes those before the end replace what is there
	BSFL  DX, DX
	LEAQ  kept<>+16(SB), BX
	SUBQ  DX, BX
	MOVOU (BX), X3
	MOVOU (DI)(AX*1), X4
	PAND  X3, X2
	PANDN X4, X3
	POR   X2, X3
	MOVOU X3, (DI)(AX*1)
	ADDQ  DX, AX

done:
	BEYOND
	MOVQ AX, end+48(FP)
	MOVQ DX, beyond+56(FP)
	RET
