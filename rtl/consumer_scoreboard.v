// Two scoreboards of a warp (Huerta 2025, section 7.5) with one entry for each register and predicate. In the
// first, an entry is a bit: a write is pending. In the second, an entry counts pending readers (at most
// CONSUMERS). The warp's next instruction waits for pending writes of its sources and destinations (RAW,
// WAW). The instruction also waits for pending readers of its destinations (WAR). In addition, it waits if
// the count of one of its sources is at the maximum. Every mask has one bit for each entry. The decoders of
// register numbers are not part of this block, because the warps of a sub-core share them.
module consumer_scoreboard #(
    parameter ENTRIES = 332,
    parameter CONSUMERS = 63,
    parameter PORT_W = 384     // at least ENTRIES
) (
    input               clk,
    input               rst,
    input               begin_warp,
    input  [PORT_W-1:0] issue_reads,     // sources of the instruction that the warp issues in this cycle
    input  [PORT_W-1:0] issue_writes,
    input  [PORT_W-1:0] released_ones,   // for each entry, number of its reads that end in this cycle: low bit
    input  [PORT_W-1:0] released_twos,   // high bit of this number
    input  [PORT_W-1:0] written,         // the last pending write of the entry ends in this cycle
    input  [PORT_W-1:0] next_reads,      // sources of the next instruction
    input  [PORT_W-1:0] next_writes,
    input  [PORT_W-1:0] bypassed,        // the bypass delivers the pending write to the next instruction in time
    input  [PORT_W-1:0] ordered,         // the pending write comes before the write of the next instruction
    input  [PORT_W-1:0] in_window,       // all pending readers have a fixed latency and read before the next write
    output              waits,
    output [PORT_W-1:0] pending,         // entries with a pending write
    output [PORT_W-1:0] read_pending     // entries with pending readers
);

  localparam COUNT_W = CONSUMERS > 31 ? 6 : CONSUMERS > 15 ? 5 : CONSUMERS > 7 ? 4 : CONSUMERS > 3 ? 3
                     : CONSUMERS > 1 ? 2 : 1;

  reg [ENTRIES-1:0] writing;
  reg [COUNT_W*ENTRIES-1:0] readers;  // bit k of the count of entry e is at position k * ENTRIES + e

  reg [COUNT_W*ENTRIES-1:0] readers_next;
  reg [ENTRIES-1:0] any, all, plane, taken, borrow, carry;
  integer k;

  always @* begin
    any = {ENTRIES{1'b0}};
    all = {ENTRIES{1'b1}};
    borrow = {ENTRIES{1'b0}};
    carry = issue_reads[ENTRIES-1:0];
    plane = {ENTRIES{1'b0}};
    taken = {ENTRIES{1'b0}};
    readers_next = readers;
    for (k = 0; k < COUNT_W; k = k + 1) begin
      plane = readers[k*ENTRIES +: ENTRIES];
      any = any | plane;
      all = all & (CONSUMERS[k] ? plane : ~plane);
      taken = k == 0 ? released_ones[ENTRIES-1:0] : k == 1 ? released_twos[ENTRIES-1:0] : {ENTRIES{1'b0}};
      readers_next[k*ENTRIES +: ENTRIES] = plane ^ taken ^ borrow ^ carry;
      carry = (plane ^ taken ^ borrow) & carry;
      borrow = (~plane & (taken | borrow)) | (taken & borrow);
    end
  end

  assign waits = |(next_reads[ENTRIES-1:0] & (all | (writing & ~bypassed[ENTRIES-1:0])))
              || |(next_writes[ENTRIES-1:0] & ((writing & ~ordered[ENTRIES-1:0]) | (any & ~in_window[ENTRIES-1:0])));
  assign pending = {{(PORT_W-ENTRIES){1'b0}}, writing};
  assign read_pending = {{(PORT_W-ENTRIES){1'b0}}, any};

  always @(posedge clk) begin
    if (rst || begin_warp) begin
      writing <= 0;
      readers <= 0;
    end else begin
      writing <= (writing & ~written[ENTRIES-1:0]) | issue_writes[ENTRIES-1:0];
      readers <= readers_next;
    end
  end

endmodule
