// A first-in first-out buffer as high-level synthesis connects processes with: registered flags,
// the first word falls through, a word that is written can be read in the next cycle, and a place
// that is freed can be written in the next.
module fifo #(parameter DEPTH = 2, parameter INIT = 0) (
  input clk, input rst,
  input write, input [31:0] din, output reg full_n,
  input read, output [31:0] dout, output reg empty_n,
  output reg [31:0] used
);
  reg [31:0] memory [0:DEPTH-1];
  reg [31:0] head, tail;
  wire push = write & full_n;
  wire pop = read & empty_n;
  wire [31:0] next = used + {31'b0, push} - {31'b0, pop};
  integer i;
  assign dout = memory[head];
  always @(posedge clk)
    if (rst) begin
      used <= INIT; full_n <= INIT < DEPTH; empty_n <= INIT > 0;
      head <= 0; tail <= INIT % DEPTH;
      for (i = 0; i < DEPTH; i = i + 1) memory[i] <= 0;
    end else begin
      used <= next; full_n <= next < DEPTH; empty_n <= next != 0;
      if (push) begin memory[tail] <= din; tail <= tail == DEPTH - 1 ? 0 : tail + 1; end
      if (pop) head <= head == DEPTH - 1 ? 0 : head + 1;
    end
endmodule

// What a FIFO held while its network ran.
module gauge #(parameter DEPTH = 2) (
  input clk, input rst, input run, input [31:0] used,
  output reg [31:0] most, output reg [31:0] full, output reg [31:0] empty
);
  always @(posedge clk)
    if (rst) begin most <= 0; full <= 0; empty <= 0; end
    else begin
      if (used > most) most <= used;
      if (run && used == DEPTH) full <= full + 1;
      if (run && used == 0) empty <= empty + 1;
    end
endmodule

// When a process is through, and for how many cycles it stood still.
module watch (
  input clk, input rst, input [31:0] now, input done, input stalled,
  output reg [31:0] finish, output reg [31:0] waits
);
  reg was;
  always @(posedge clk)
    if (rst) begin finish <= 0; waits <= 0; was <= 0; end
    else begin
      was <= done;
      if (done && !was) finish <= now;
      if (stalled && !done) waits <= waits + 1;
    end
endmodule
