// The window of one warp beside its operand collectors (Esfeden 2020, BOW): the tag, age, valid and dirty lanes
// of each entry. An entry leaves when `instructions` announced instructions have come since its last access
// (with `reads_extend`: reads count as accesses), unless an announced instruction still has to read it. The entry that
// leaves early, for want of entries, is the one accessed longest ago; of equals, the one taken first. Entries
// that wait for a result or a fill do not leave early.
//
// In every cycle, three sources and a result are looked up. The other inputs change state at the end of the
// cycle: `advance` and `announce` all entries, the inputs after `way` that entry alone.
module window_match #(
    parameter ENTRIES = 12,
    parameter WAY_W = 4,
    parameter REG_W = 8,
    parameter AGE_W = 4,
    parameter RESULT_W = 2,  // announced results of an entry that have not come
    parameter LANES = 32
) (
    input                    clk,
    input                    rst,
    input                    clear,         // the warp has ended
    input      [  AGE_W-1:0] instructions,
    input                    reads_extend,
    input                    advance,       // an instruction is announced
    input                    pending,       // an announced instruction lacks operands
    input      [  AGE_W-1:0] oldest,        // instructions since the oldest of these
    input      [3*REG_W-1:0] sources,
    input      [        2:0] look,          // ports in use
    input                    announce,      // these are the sources of the announced instruction
    input      [  REG_W-1:0] result,
    input      [  LANES-1:0] lanes,
    input      [  WAY_W-1:0] way,
    input                    take,          // allocate for `result`
    input                    await_result,  // the announced instruction writes it
    input                    request,       // a read below will fill lanes
    input                    fill,
    input                    write,
    input                    through,       // the result is written below, too
    input                    hinted,        // the result is not read after it has left
    input                    clean,         // the dirty lanes are written below
    input                    give_up,       // free
    output reg [        2:0] found,
    output reg [        2:0] hit,           // found, with all of `lanes`
    output reg [3*WAY_W-1:0] ways,
    output reg               result_found,
    output reg [  WAY_W-1:0] result_way,
    output reg [ENTRIES-1:0] leave,
    output reg [ENTRIES-1:0] back,          // leaves, and is written below
    output reg               can_take,
    output reg [  WAY_W-1:0] victim         // lowest free entry, otherwise the one that leaves early
);

  localparam PAIRS = ENTRIES * (ENTRIES - 1) / 2;
  localparam [AGE_W-1:0] LONG = {AGE_W{1'b1}};  // so long ago, or never

  reg [ENTRIES-1:0] used, hints, same, candidate, first;
  reg [ENTRIES*REG_W-1:0] tags;
  reg [ENTRIES*AGE_W-1:0] ages, reads, ages_now, reads_now;
  reg [ENTRIES*RESULT_W-1:0] awaited;
  reg [ENTRIES*LANES-1:0] valid, dirty, filling;
  reg [PAIRS-1:0] older;  // of entries i < j, at j * (j - 1) / 2 + i: i was taken before j
  reg [LANES-1:0] held;
  integer i, j, s;

  // Look-ups.
  always @* begin
    for (s = 0; s < 3; s = s + 1) begin
      held = 0;
      ways[s*WAY_W+:WAY_W] = 0;
      for (i = 0; i < ENTRIES; i = i + 1) begin
        same[i] = look[s] && used[i] && tags[i*REG_W+:REG_W] == sources[s*REG_W+:REG_W];
        if (same[i]) begin
          ways[s*WAY_W+:WAY_W] = ways[s*WAY_W+:WAY_W] | i[WAY_W-1:0];
          held = held | valid[i*LANES+:LANES];
        end
      end
      found[s] = |same;
      hit[s] = found[s] && (lanes & ~held) == 0;
    end
    result_found = 1'b0;
    result_way = 0;
    for (i = 0; i < ENTRIES; i = i + 1)
      if (used[i] && tags[i*REG_W+:REG_W] == result) begin
        result_found = 1'b1;
        result_way = result_way | i[WAY_W-1:0];
      end
  end

  // Ages, and the entries that leave.
  always @*
    for (i = 0; i < ENTRIES; i = i + 1) begin
      ages_now[i*AGE_W+:AGE_W] = ages[i*AGE_W+:AGE_W];
      reads_now[i*AGE_W+:AGE_W] = reads[i*AGE_W+:AGE_W];
      if (advance && ages[i*AGE_W+:AGE_W] != LONG)
        ages_now[i*AGE_W+:AGE_W] = ages[i*AGE_W+:AGE_W] + 1'b1;
      if (advance && reads[i*AGE_W+:AGE_W] != LONG)
        reads_now[i*AGE_W+:AGE_W] = reads[i*AGE_W+:AGE_W] + 1'b1;
      leave[i] = used[i] && ages_now[i*AGE_W+:AGE_W] >= instructions
          && !(|filling[i*LANES+:LANES])
          && !(pending && reads_now[i*AGE_W+:AGE_W] != LONG && reads_now[i*AGE_W+:AGE_W] <= oldest);
      back[i] = leave[i] && (|dirty[i*LANES+:LANES]) && !hints[i];
    end

  // The entry for another register.
  always @* begin
    victim = 0;
    for (i = 0; i < ENTRIES; i = i + 1)
      candidate[i] = !(|filling[i*LANES+:LANES]) && !(|awaited[i*RESULT_W+:RESULT_W]);
    for (i = 0; i < ENTRIES; i = i + 1) begin
      first[i] = candidate[i];
      for (j = 0; j < i; j = j + 1)
        if (candidate[j] && (ages[j*AGE_W+:AGE_W] > ages[i*AGE_W+:AGE_W]
            || (ages[j*AGE_W+:AGE_W] == ages[i*AGE_W+:AGE_W] && older[i*(i-1)/2+j])))
          first[i] = 1'b0;
      for (j = i + 1; j < ENTRIES; j = j + 1)
        if (candidate[j] && (ages[j*AGE_W+:AGE_W] > ages[i*AGE_W+:AGE_W]
            || (ages[j*AGE_W+:AGE_W] == ages[i*AGE_W+:AGE_W] && !older[j*(j-1)/2+i])))
          first[i] = 1'b0;
      if (first[i]) victim = victim | i[WAY_W-1:0];
    end
    for (i = ENTRIES - 1; i >= 0; i = i - 1) if (!used[i]) victim = i[WAY_W-1:0];
    can_take = !(&used) || |candidate;
  end

  always @(posedge clk)
    if (rst || clear) begin
      used <= 0;
      hints <= 0;
      tags <= 0;
      ages <= 0;
      reads <= 0;
      awaited <= 0;
      valid <= 0;
      dirty <= 0;
      filling <= 0;
      older <= 0;
    end else begin
      ages <= ages_now;
      reads <= reads_now;
      for (i = 0; i < ENTRIES; i = i + 1) begin
        for (s = 0; s < 3; s = s + 1)
          if (announce && look[s] && used[i] && tags[i*REG_W+:REG_W] == sources[s*REG_W+:REG_W]) begin
            if (reads_extend) ages[i*AGE_W+:AGE_W] <= 0;
            reads[i*AGE_W+:AGE_W] <= 0;
          end
        if (way == i[WAY_W-1:0]) begin
          if (take) begin
            used[i] <= 1'b1;
            hints[i] <= 1'b0;
            tags[i*REG_W+:REG_W] <= result;
            ages[i*AGE_W+:AGE_W] <= 0;
            reads[i*AGE_W+:AGE_W] <= LONG;
            for (j = 0; j < i; j = j + 1) older[i*(i-1)/2+j] <= 1'b1;
            for (j = i + 1; j < ENTRIES; j = j + 1) older[j*(j-1)/2+i] <= 1'b0;
          end
          if (await_result) begin
            ages[i*AGE_W+:AGE_W] <= 0;
            awaited[i*RESULT_W+:RESULT_W] <= awaited[i*RESULT_W+:RESULT_W] + 1'b1;
          end
          if (request)
            filling[i*LANES+:LANES] <= filling[i*LANES+:LANES] | (lanes & ~valid[i*LANES+:LANES]);
          if (fill) begin
            valid[i*LANES+:LANES] <= valid[i*LANES+:LANES] | lanes;
            filling[i*LANES+:LANES] <= filling[i*LANES+:LANES] & ~lanes;
          end
          if (write) begin
            valid[i*LANES+:LANES] <= valid[i*LANES+:LANES] | lanes;
            dirty[i*LANES+:LANES] <=
                through ? dirty[i*LANES+:LANES] & ~lanes : dirty[i*LANES+:LANES] | lanes;
            if (!through) hints[i] <= hinted;
            filling[i*LANES+:LANES] <= 0;
            if (|awaited[i*RESULT_W+:RESULT_W])
              awaited[i*RESULT_W+:RESULT_W] <= awaited[i*RESULT_W+:RESULT_W] - 1'b1;
          end
          if (clean) dirty[i*LANES+:LANES] <= 0;
          if (give_up) begin
            used[i] <= 1'b0;
            awaited[i*RESULT_W+:RESULT_W] <= 0;
            valid[i*LANES+:LANES] <= 0;
            dirty[i*LANES+:LANES] <= 0;
            filling[i*LANES+:LANES] <= 0;
          end
        end
      end
    end

endmodule
