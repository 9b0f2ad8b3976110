/* unsigned long fold(unsigned long sum, unsigned long bytes): rotates the sum and adds. */
#if !defined(__x86_64__)
#error "this file is for x86-64"
#endif
	.text
	.globl fold
	.type fold, @function
fold:
	movq %rdi, %rax
	rolq $7, %rax
	xorq %rsi, %rax
	addq $0x9e37, %rax
	ret
	.size fold, . - fold
	.section .note.GNU-stack, "", @progbits
