// The register window of one warp; the window is next to the warp's operand collectors (Esfeden 2020, BOW).
// Each entry holds a register number (tag), an age, and valid and dirty lanes. An instruction is announced
// when it has got a collector. An entry leaves when a given number of instructions (the input `instructions`)
// have been announced since the entry's last access, unless an announced instruction still has to read it.
// Reads count as accesses only with `reads_extend`. If a new register needs an entry and no entry is free,
// the entry that was accessed longest ago leaves early; among entries that were accessed equally long ago,
// the entry that was allocated first. Entries that wait for a result or a fill do not leave early.
//
// In every cycle, the block looks up three sources and a result. The other inputs change state at the end of
// the cycle: `advance` and `announce` change all entries. The inputs after `way` in the port list change only
// entry `way`.
module window_match #(
    parameter ENTRIES = 12,
    parameter WAY_W = 4,
    parameter REG_W = 8,
    parameter AGE_W = 4,
    parameter RESULT_W = 2,  // width in bits of an entry's count of outstanding results (announced, not yet arrived)
    parameter LANES = 32
) (
    input                    clk,
    input                    rst,
    input                    clear,         // the warp has ended
    input      [  AGE_W-1:0] instructions,
    input                    reads_extend,
    input                    advance,       // an instruction is announced
    input                    pending,       // some announced instruction has not received all its operands
    input      [  AGE_W-1:0] oldest,        // instructions announced since the oldest one that still lacks operands
    input      [3*REG_W-1:0] sources,
    input      [        2:0] look,          // bit s: source s is looked up
    input                    announce,      // the sources belong to the announced instruction
    input      [  REG_W-1:0] result,
    input      [  LANES-1:0] lanes,
    input      [  WAY_W-1:0] way,
    input                    take,          // allocates entry `way` for `result`
    input                    await_result,  // the announced instruction will write the entry
    input                    request,       // the stage below is read, and will fill the missing lanes
    input                    fill,
    input                    write,
    input                    through,       // the result is also written to the stage below
    input                    hinted,        // no instruction reads the result after the entry has left
    input                    clean,         // the dirty lanes are written to the stage below
    input                    give_up,       // frees the entry
    output reg [        2:0] found,
    output reg [        2:0] hit,           // the source is found, and all of `lanes` are valid
    output reg [3*WAY_W-1:0] ways,
    output reg               result_found,
    output reg [  WAY_W-1:0] result_way,
    output reg [ENTRIES-1:0] leave,
    output reg [ENTRIES-1:0] back,          // entries that leave and are written to the stage below
    output reg               can_take,
    output reg [  WAY_W-1:0] victim         // lowest free entry; if none is free, the entry that leaves early
);

  localparam PAIRS = ENTRIES * (ENTRIES - 1) / 2;
  localparam [AGE_W-1:0] LONG = {AGE_W{1'b1}};  // highest age: this many instructions or more, or no access so far

  reg [ENTRIES-1:0] used, hints, same, candidate, first;
  reg [ENTRIES*REG_W-1:0] tags;
  reg [ENTRIES*AGE_W-1:0] ages, reads, ages_now, reads_now;
  reg [ENTRIES*RESULT_W-1:0] awaited;
  reg [ENTRIES*LANES-1:0] valid, dirty, filling;
  reg [PAIRS-1:0] older;  // bit j * (j - 1) / 2 + i, for i < j: entry i was allocated before entry j
  reg [LANES-1:0] held;
  integer i, j, s;

  // Looks up the sources and the result.
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

  // Computes each entry's age after this cycle, and the entries that leave the window.
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

  // Selects the entry for a new register.
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
