// The networks, and what is shown of them when all are over or stand still.

// paths is two ways from M1 to M4, of which M3 makes one ten cycles longer.
module paths #(parameter NAME = "", parameter FLUSH = 0, parameter DEEP = 2) (input clk, input rst, output reg over);
  reg [31:0] now; reg dead; wire running;
  wire fifo1_w, fifo1_fn, fifo1_r, fifo1_en; wire [31:0] fifo1_i, fifo1_o, fifo1_used, fifo1_most, fifo1_full, fifo1_empty;
  fifo #(.DEPTH(2), .INIT(0)) fifo1 (clk, rst, fifo1_w, fifo1_i, fifo1_fn, fifo1_r, fifo1_o, fifo1_en, fifo1_used);
  gauge #(.DEPTH(2)) fifo1_gauge (clk, rst, running, fifo1_used, fifo1_most, fifo1_full, fifo1_empty);
  wire fifo2_w, fifo2_fn, fifo2_r, fifo2_en; wire [31:0] fifo2_i, fifo2_o, fifo2_used, fifo2_most, fifo2_full, fifo2_empty;
  fifo #(.DEPTH(2), .INIT(0)) fifo2 (clk, rst, fifo2_w, fifo2_i, fifo2_fn, fifo2_r, fifo2_o, fifo2_en, fifo2_used);
  gauge #(.DEPTH(2)) fifo2_gauge (clk, rst, running, fifo2_used, fifo2_most, fifo2_full, fifo2_empty);
  wire fifo3_w, fifo3_fn, fifo3_r, fifo3_en; wire [31:0] fifo3_i, fifo3_o, fifo3_used, fifo3_most, fifo3_full, fifo3_empty;
  fifo #(.DEPTH(DEEP), .INIT(0)) fifo3 (clk, rst, fifo3_w, fifo3_i, fifo3_fn, fifo3_r, fifo3_o, fifo3_en, fifo3_used);
  gauge #(.DEPTH(DEEP)) fifo3_gauge (clk, rst, running, fifo3_used, fifo3_most, fifo3_full, fifo3_empty);
  wire fifo4_w, fifo4_fn, fifo4_r, fifo4_en; wire [31:0] fifo4_i, fifo4_o, fifo4_used, fifo4_most, fifo4_full, fifo4_empty;
  fifo #(.DEPTH(2), .INIT(0)) fifo4 (clk, rst, fifo4_w, fifo4_i, fifo4_fn, fifo4_r, fifo4_o, fifo4_en, fifo4_used);
  gauge #(.DEPTH(2)) fifo4_gauge (clk, rst, running, fifo4_used, fifo4_most, fifo4_full, fifo4_empty);
  wire M1_done, M1_stalled; wire [31:0] M1_finish, M1_waits;
  wire M1_write; assign fifo1_w = M1_write; assign fifo2_w = M1_write;
  source #(.N(500)) M1 (clk, rst, M1_write, fifo1_i, fifo2_i, fifo1_fn, fifo2_fn, M1_done, M1_stalled);
  watch M1_watch (clk, rst, now, M1_done, M1_stalled && running, M1_finish, M1_waits);
  wire M2_done, M2_stalled; wire [31:0] M2_finish, M2_waits;
  straight #(.N(500), .STAGES(5), .FACTOR(711), .FLUSH(FLUSH)) M2 (clk, rst, fifo1_r, fifo1_o, fifo1_en, fifo3_w, fifo3_i, fifo3_fn, M2_done, M2_stalled);
  watch M2_watch (clk, rst, now, M2_done, M2_stalled && running, M2_finish, M2_waits);
  wire M3_done, M3_stalled; wire [31:0] M3_finish, M3_waits;
  straight #(.N(500), .STAGES(15), .FACTOR(3), .FLUSH(FLUSH)) M3 (clk, rst, fifo2_r, fifo2_o, fifo2_en, fifo4_w, fifo4_i, fifo4_fn, M3_done, M3_stalled);
  watch M3_watch (clk, rst, now, M3_done, M3_stalled && running, M3_finish, M3_waits);
  wire M4_done, M4_stalled; wire [31:0] M4_finish, M4_waits;
  wire M4_read; wire [31:0] M4_sum; assign fifo3_r = M4_read; assign fifo4_r = M4_read;
  sink #(.N(500)) M4 (clk, rst, M4_read, fifo3_o, fifo4_o, fifo3_en, fifo4_en, M4_done, M4_stalled, M4_sum);
  watch M4_watch (clk, rst, now, M4_done, M4_stalled && running, M4_finish, M4_waits);
  wire through = M1_done && M2_done && M3_done && M4_done;
  wire still = (M1_done || M1_stalled) && (M2_done || M2_stalled) && (M3_done || M3_stalled) && (M4_done || M4_stalled);
  assign running = !over && !through && !still;
  always @(posedge clk)
    if (rst) begin now <= 0; over <= 0; dead <= 0; end
    else if (!over) begin
      now <= now + 1;
      if (through || still) begin over <= 1; dead <= !through; now <= now; end
    end
  task show;
    begin
      $display("%0s cycles %0d deadlock %0d", NAME, now, dead);
      $display("%0s fifo fifo1 most %0d full %0d empty %0d", NAME, fifo1_most, fifo1_full, fifo1_empty);
      $display("%0s fifo fifo2 most %0d full %0d empty %0d", NAME, fifo2_most, fifo2_full, fifo2_empty);
      $display("%0s fifo fifo3 most %0d full %0d empty %0d", NAME, fifo3_most, fifo3_full, fifo3_empty);
      $display("%0s fifo fifo4 most %0d full %0d empty %0d", NAME, fifo4_most, fifo4_full, fifo4_empty);
      $display("%0s module M1 finish %0d waits %0d", NAME, M1_finish, M1_waits);
      $display("%0s module M2 finish %0d waits %0d", NAME, M2_finish, M2_waits);
      $display("%0s module M3 finish %0d waits %0d", NAME, M3_finish, M3_waits);
      $display("%0s module M4 finish %0d waits %0d", NAME, M4_finish, M4_waits);
      $display("%0s sum %0d", NAME, M4_sum);
    end
  endtask
endmodule

// ring adds what comes back to it.
module ring (input clk, input rst, output reg over);
  reg [31:0] now; reg dead; wire running;
  wire data_w, data_fn, data_r, data_en; wire [31:0] data_i, data_o, data_used, data_most, data_full, data_empty;
  fifo #(.DEPTH(2), .INIT(0)) data (clk, rst, data_w, data_i, data_fn, data_r, data_o, data_en, data_used);
  gauge #(.DEPTH(2)) data_gauge (clk, rst, running, data_used, data_most, data_full, data_empty);
  wire back_w, back_fn, back_r, back_en; wire [31:0] back_i, back_o, back_used, back_most, back_full, back_empty;
  fifo #(.DEPTH(4), .INIT(3)) back (clk, rst, back_w, back_i, back_fn, back_r, back_o, back_en, back_used);
  gauge #(.DEPTH(4)) back_gauge (clk, rst, running, back_used, back_most, back_full, back_empty);
  wire sums_w, sums_fn, sums_r, sums_en; wire [31:0] sums_i, sums_o, sums_used, sums_most, sums_full, sums_empty;
  fifo #(.DEPTH(3), .INIT(0)) sums (clk, rst, sums_w, sums_i, sums_fn, sums_r, sums_o, sums_en, sums_used);
  gauge #(.DEPTH(3)) sums_gauge (clk, rst, running, sums_used, sums_most, sums_full, sums_empty);
  wire in_done, in_stalled; wire [31:0] in_finish, in_waits;
  wire [31:0] unused; source #(.N(200), .TWO(0)) in (clk, rst, data_w, data_i, unused, data_fn, 1'b1, in_done, in_stalled);
  watch in_watch (clk, rst, now, in_done, in_stalled && running, in_finish, in_waits);
  wire add_done, add_stalled; wire [31:0] add_finish, add_waits;
  wire add_read, add_write; wire [31:0] add_out; assign data_r = add_read; assign back_r = add_read; assign sums_w = add_write; assign back_w = add_write; assign sums_i = add_out; assign back_i = add_out;
  running #(.N(200)) add (clk, rst, add_read, data_o, back_o, data_en, back_en, add_write, add_out, sums_fn, back_fn, add_done, add_stalled);
  watch add_watch (clk, rst, now, add_done, add_stalled && running, add_finish, add_waits);
  wire out_done, out_stalled; wire [31:0] out_finish, out_waits;
  wire [31:0] out_sum; sink #(.N(200), .EVERY(2), .TWO(0)) out (clk, rst, sums_r, sums_o, 32'b0, sums_en, 1'b1, out_done, out_stalled, out_sum);
  watch out_watch (clk, rst, now, out_done, out_stalled && running, out_finish, out_waits);
  wire through = in_done && add_done && out_done;
  wire still = (in_done || in_stalled) && (add_done || add_stalled) && (out_done || out_stalled);
  assign running = !over && !through && !still;
  always @(posedge clk)
    if (rst) begin now <= 0; over <= 0; dead <= 0; end
    else if (!over) begin
      now <= now + 1;
      if (through || still) begin over <= 1; dead <= !through; now <= now; end
    end
  task show;
    begin
      $display("ring cycles %0d deadlock %0d", now, dead);
      $display("ring fifo data most %0d full %0d empty %0d", data_most, data_full, data_empty);
      $display("ring fifo back most %0d full %0d empty %0d", back_most, back_full, back_empty);
      $display("ring fifo sums most %0d full %0d empty %0d", sums_most, sums_full, sums_empty);
      $display("ring module in finish %0d waits %0d", in_finish, in_waits);
      $display("ring module add finish %0d waits %0d", add_finish, add_waits);
      $display("ring module out finish %0d waits %0d", out_finish, out_waits);
      $display("ring sum %0d", out_sum);
    end
  endtask
endmodule

// bursts come to pipelines that flush: one that passes on one of three, and one that takes every other cycle.
module bursts (input clk, input rst, output reg over);
  reg [31:0] now; reg dead; wire running;
  wire words_w, words_fn, words_r, words_en; wire [31:0] words_i, words_o, words_used, words_most, words_full, words_empty;
  fifo #(.DEPTH(3), .INIT(0)) words (clk, rst, words_w, words_i, words_fn, words_r, words_o, words_en, words_used);
  gauge #(.DEPTH(3)) words_gauge (clk, rst, running, words_used, words_most, words_full, words_empty);
  wire thirds_w, thirds_fn, thirds_r, thirds_en; wire [31:0] thirds_i, thirds_o, thirds_used, thirds_most, thirds_full, thirds_empty;
  fifo #(.DEPTH(1), .INIT(0)) thirds (clk, rst, thirds_w, thirds_i, thirds_fn, thirds_r, thirds_o, thirds_en, thirds_used);
  gauge #(.DEPTH(1)) thirds_gauge (clk, rst, running, thirds_used, thirds_most, thirds_full, thirds_empty);
  wire slow_w, slow_fn, slow_r, slow_en; wire [31:0] slow_i, slow_o, slow_used, slow_most, slow_full, slow_empty;
  fifo #(.DEPTH(2), .INIT(0)) slow (clk, rst, slow_w, slow_i, slow_fn, slow_r, slow_o, slow_en, slow_used);
  gauge #(.DEPTH(2)) slow_gauge (clk, rst, running, slow_used, slow_most, slow_full, slow_empty);
  wire in_done, in_stalled; wire [31:0] in_finish, in_waits;
  wire [31:0] unused; source #(.N(300), .BURST(30), .GAP(7), .TWO(0)) in (clk, rst, words_w, words_i, unused, words_fn, 1'b1, in_done, in_stalled);
  watch in_watch (clk, rst, now, in_done, in_stalled && running, in_finish, in_waits);
  wire third_done, third_stalled; wire [31:0] third_finish, third_waits;
  straight #(.N(300), .STAGES(4), .FLUSH(1), .KEEP(3)) third (clk, rst, words_r, words_o, words_en, thirds_w, thirds_i, thirds_fn, third_done, third_stalled);
  watch third_watch (clk, rst, now, third_done, third_stalled && running, third_finish, third_waits);
  wire half_done, half_stalled; wire [31:0] half_finish, half_waits;
  straight #(.N(100), .STAGES(3), .FLUSH(1), .SLOT(2)) half (clk, rst, thirds_r, thirds_o, thirds_en, slow_w, slow_i, slow_fn, half_done, half_stalled);
  watch half_watch (clk, rst, now, half_done, half_stalled && running, half_finish, half_waits);
  wire out_done, out_stalled; wire [31:0] out_finish, out_waits;
  wire [31:0] out_sum; sink #(.N(100), .EVERY(4), .TWO(0)) out (clk, rst, slow_r, slow_o, 32'b0, slow_en, 1'b1, out_done, out_stalled, out_sum);
  watch out_watch (clk, rst, now, out_done, out_stalled && running, out_finish, out_waits);
  wire through = in_done && third_done && half_done && out_done;
  wire still = (in_done || in_stalled) && (third_done || third_stalled) && (half_done || half_stalled) && (out_done || out_stalled);
  assign running = !over && !through && !still;
  always @(posedge clk)
    if (rst) begin now <= 0; over <= 0; dead <= 0; end
    else if (!over) begin
      now <= now + 1;
      if (through || still) begin over <= 1; dead <= !through; now <= now; end
    end
  task show;
    begin
      $display("bursts cycles %0d deadlock %0d", now, dead);
      $display("bursts fifo words most %0d full %0d empty %0d", words_most, words_full, words_empty);
      $display("bursts fifo thirds most %0d full %0d empty %0d", thirds_most, thirds_full, thirds_empty);
      $display("bursts fifo slow most %0d full %0d empty %0d", slow_most, slow_full, slow_empty);
      $display("bursts module in finish %0d waits %0d", in_finish, in_waits);
      $display("bursts module third finish %0d waits %0d", third_finish, third_waits);
      $display("bursts module half finish %0d waits %0d", half_finish, half_waits);
      $display("bursts module out finish %0d waits %0d", out_finish, out_waits);
      $display("bursts sum %0d", out_sum);
    end
  endtask
endmodule

// couples are read one behind the other.
module couples (input clk, input rst, output reg over);
  reg [31:0] now; reg dead; wire running;
  wire words_w, words_fn, words_r, words_en; wire [31:0] words_i, words_o, words_used, words_most, words_full, words_empty;
  fifo #(.DEPTH(1), .INIT(0)) words (clk, rst, words_w, words_i, words_fn, words_r, words_o, words_en, words_used);
  gauge #(.DEPTH(1)) words_gauge (clk, rst, running, words_used, words_most, words_full, words_empty);
  wire sums_w, sums_fn, sums_r, sums_en; wire [31:0] sums_i, sums_o, sums_used, sums_most, sums_full, sums_empty;
  fifo #(.DEPTH(1), .INIT(0)) sums (clk, rst, sums_w, sums_i, sums_fn, sums_r, sums_o, sums_en, sums_used);
  gauge #(.DEPTH(1)) sums_gauge (clk, rst, running, sums_used, sums_most, sums_full, sums_empty);
  wire in_done, in_stalled; wire [31:0] in_finish, in_waits;
  wire [31:0] unused; source #(.N(120), .BURST(5), .GAP(3), .TWO(0)) in (clk, rst, words_w, words_i, unused, words_fn, 1'b1, in_done, in_stalled);
  watch in_watch (clk, rst, now, in_done, in_stalled && running, in_finish, in_waits);
  wire pair_done, pair_stalled; wire [31:0] pair_finish, pair_waits;
  pairs #(.N(60)) pair (clk, rst, words_r, words_o, words_en, sums_w, sums_i, sums_fn, pair_done, pair_stalled);
  watch pair_watch (clk, rst, now, pair_done, pair_stalled && running, pair_finish, pair_waits);
  wire out_done, out_stalled; wire [31:0] out_finish, out_waits;
  wire [31:0] out_sum; sink #(.N(60), .EVERY(3), .TWO(0)) out (clk, rst, sums_r, sums_o, 32'b0, sums_en, 1'b1, out_done, out_stalled, out_sum);
  watch out_watch (clk, rst, now, out_done, out_stalled && running, out_finish, out_waits);
  wire through = in_done && pair_done && out_done;
  wire still = (in_done || in_stalled) && (pair_done || pair_stalled) && (out_done || out_stalled);
  assign running = !over && !through && !still;
  always @(posedge clk)
    if (rst) begin now <= 0; over <= 0; dead <= 0; end
    else if (!over) begin
      now <= now + 1;
      if (through || still) begin over <= 1; dead <= !through; now <= now; end
    end
  task show;
    begin
      $display("couples cycles %0d deadlock %0d", now, dead);
      $display("couples fifo words most %0d full %0d empty %0d", words_most, words_full, words_empty);
      $display("couples fifo sums most %0d full %0d empty %0d", sums_most, sums_full, sums_empty);
      $display("couples module in finish %0d waits %0d", in_finish, in_waits);
      $display("couples module pair finish %0d waits %0d", pair_finish, pair_waits);
      $display("couples module out finish %0d waits %0d", out_finish, out_waits);
      $display("couples sum %0d", out_sum);
    end
  endtask
endmodule

module top (input clk, input rst);
  wire bubbles_over; paths #(.NAME("bubbles"), .FLUSH(1)) bubbles_net (clk, rst, bubbles_over);
  wire stuck_over; paths #(.NAME("stuck")) stuck_net (clk, rst, stuck_over);
  wire deep_over; paths #(.NAME("deep"), .DEEP(11)) deep_net (clk, rst, deep_over);
  wire ring_over; ring ring_net (clk, rst, ring_over);
  wire bursts_over; bursts bursts_net (clk, rst, bursts_over);
  wire couples_over; couples couples_net (clk, rst, couples_over);
  wire over = bubbles_over && stuck_over && deep_over && ring_over && bursts_over && couples_over;
  reg shown;
  always @(posedge clk)
    if (rst) shown <= 0;
    else if (over && !shown) begin
      shown <= 1;
      bubbles_net.show;
      stuck_net.show;
      deep_net.show;
      ring_net.show;
      bursts_net.show;
      couples_net.show;
      $finish;
    end
endmodule
