// Processes as pipelines. Those that stall as a whole have one enable for all their registers;
// those that flush take bubbles in where nothing is there to read, and stop where they cannot write.

// source writes 0, 1, 2, ... to a and, with an offset, to b, in the same cycle: BURST of them, then
// GAP cycles of nothing, which also come first.
module source #(parameter N = 1, parameter BURST = N, parameter GAP = 0, parameter TWO = 1) (
  input clk, input rst,
  output write, output [31:0] a, output [31:0] b, input a_full_n, input b_full_n,
  output done, output stalled
);
  reg [31:0] sent, left, pause;
  wire due = sent < N && pause == 0;
  assign write = due && a_full_n && (b_full_n || !TWO);
  assign a = sent;
  assign b = sent + 10;
  assign done = sent == N;
  assign stalled = due && !write;
  always @(posedge clk)
    if (rst) begin sent <= 0; left <= BURST; pause <= GAP; end
    else if (pause != 0) pause <= pause - 1;
    else if (write) begin
      sent <= sent + 1;
      left <= left == 1 ? BURST : left - 1;
      if (left == 1) pause <= GAP;
    end
endmodule

// straight is a pipeline of STAGES that multiplies by FACTOR, one word in each cycle, and passes
// on one of KEEP. FLUSH says whether it flushes; else it stalls as a whole. One that flushes looks
// for a word in one of SLOT cycles, and waits from when it found none until one is there.
module straight #(parameter N = 1, parameter STAGES = 2, parameter FACTOR = 1, parameter FLUSH = 0, parameter KEEP = 1, parameter SLOT = 1) (
  input clk, input rst,
  output read, input [31:0] in, input empty_n,
  output write, output [31:0] out, input full_n,
  output done, output stalled
);
  reg [STAGES-2:0] valid, kept;
  reg [31:0] data [0:STAGES-2];
  reg [31:0] taken, count, slot;
  reg tried;
  integer i;
  wire want = taken < N && slot == 0;
  wire blocked = valid[STAGES-2] && kept[STAGES-2] && !full_n;
  wire enable = FLUSH ? !blocked : !blocked && !(want && !empty_n);
  assign read = enable && want && empty_n;
  assign write = enable && valid[STAGES-2] && kept[STAGES-2];
  assign out = data[STAGES-2];
  assign done = taken == N && valid == 0;
  assign stalled = !enable || (FLUSH && (want || tried) && !empty_n && valid == 0);
  always @(posedge clk)
    if (rst) begin
      valid <= 0; kept <= 0; taken <= 0; count <= 0; slot <= 0; tried <= 0;
    end else if (enable) begin
      slot <= slot == SLOT - 1 ? 0 : slot + 1;
      tried <= !empty_n && (want || tried);
      valid <= (valid << 1) | {{(STAGES-2){1'b0}}, read};
      kept <= (kept << 1) | {{(STAGES-2){1'b0}}, count == KEEP - 1};
      data[0] <= in * FACTOR;
      for (i = 1; i < STAGES - 1; i = i + 1) data[i] <= data[i-1];
      if (read) begin
        taken <= taken + 1;
        count <= count == KEEP - 1 ? 0 : count + 1;
      end
    end
endmodule

// sink reads a and b in the same cycle, or a alone, and then nothing for EVERY-1 cycles.
module sink #(parameter N = 1, parameter EVERY = 1, parameter TWO = 1) (
  input clk, input rst,
  output read, input [31:0] a, input [31:0] b, input a_empty_n, input b_empty_n,
  output done, output stalled, output reg [31:0] sum
);
  reg [31:0] got, rest;
  wire due = got < N && rest == 0;
  assign read = due && a_empty_n && (b_empty_n || !TWO);
  assign done = got == N;
  assign stalled = due && !read;
  always @(posedge clk)
    if (rst) begin got <= 0; rest <= 0; sum <= 0; end
    else begin
      if (read) begin
        got <= got + 1;
        sum <= sum + a + (TWO ? b : 0);
        rest <= EVERY - 1;
      end else if (rest != 0) rest <= rest - 1;
    end
endmodule

// running adds what it reads to what it wrote BACK words ago, which comes back to it through a
// FIFO, three stages later. It stalls as a whole.
module running #(parameter N = 1) (
  input clk, input rst,
  output read, input [31:0] in, input [31:0] back, input in_empty_n, input back_empty_n,
  output write, output [31:0] out, input out_full_n, input back_full_n,
  output done, output stalled
);
  reg v1, v2;
  reg [31:0] d1, d2, taken;
  wire want = taken < N;
  wire enable = !(want && !(in_empty_n && back_empty_n)) && !(v2 && !(out_full_n && back_full_n));
  assign read = enable && want;
  assign write = enable && v2;
  assign out = d2;
  assign done = !want && !v1 && !v2;
  assign stalled = !enable;
  always @(posedge clk)
    if (rst) begin v1 <= 0; v2 <= 0; taken <= 0; d1 <= 0; d2 <= 0; end
    else if (enable) begin
      v1 <= read; v2 <= v1;
      d1 <= in + back; d2 <= d1;
      if (read) taken <= taken + 1;
    end
endmodule

// pairs adds two words that it reads one behind the other, and writes the sum in the cycle after,
// in which it may read the next. It stalls as a whole.
module pairs #(parameter N = 1) (
  input clk, input rst,
  output read, input [31:0] in, input empty_n,
  output write, output [31:0] out, input full_n,
  output done, output stalled
);
  reg second, ready;
  reg [31:0] first, sum, taken;
  wire want = second || taken < N;
  wire enable = !(want && !empty_n) && !(ready && !full_n);
  assign read = enable && want;
  assign write = enable && ready;
  assign out = sum;
  assign done = !want && !ready;
  assign stalled = !enable;
  always @(posedge clk)
    if (rst) begin second <= 0; ready <= 0; first <= 0; sum <= 0; taken <= 0; end
    else if (enable) begin
      ready <= second;
      second <= want && !second;
      if (!second) first <= in; else sum <= first + in;
      if (read && !second) taken <= taken + 1;
    end
endmodule
