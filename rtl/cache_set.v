// One set of a register cache (Bailey 2018, III-A2; Gebhart 2012, 4.1). Each line holds a register, its valid
// lanes, and its dirty lanes. A lane is dirty if the stages below have an older value of the lane. A new
// register gets the lowest free line. If no line is free, the new register replaces the line that was
// allocated longest ago. With `lru`, it replaces the line that was used longest ago.
//
// `key` is looked up in every cycle. The other inputs change line `way` at the end of the cycle. Written
// lanes become valid, and also dirty unless their values are dead. Lanes that are filled from the stage below
// become valid. Dropped lanes become neither valid nor dirty.
module cache_set #(
    parameter WAYS = 2,
    parameter WAY_W = 3,
    parameter KEY_W = 14,  // width in bits of a key: warp and register
    parameter LANES = 32
) (
    input                  clk,
    input                  rst,
    input                  lru,
    input      [KEY_W-1:0] key,
    input      [WAY_W-1:0] way,
    input                  take,     // allocates line `way` for `key`
    input                  give_up,  // frees line `way`
    input                  touch,    // marks line `way` as used
    input                  write,
    input                  dead,     // the written values are dead
    input                  fill,
    input                  drop,
    input      [LANES-1:0] lanes,
    output reg             hit,
    output reg [WAY_W-1:0] hit_way,
    output reg [LANES-1:0] valid,    // valid lanes of the line that hits
    output reg [LANES-1:0] dirty,
    output reg [WAY_W-1:0] victim
);

  reg [WAYS-1:0] used;
  reg [WAYS*KEY_W-1:0] keys;
  reg [WAYS*LANES-1:0] valid_lanes, dirty_lanes;
  localparam PAIRS = WAYS > 1 ? WAYS * (WAYS - 1) / 2 : 1;
  reg [PAIRS-1:0] older;  // bit j * (j - 1) / 2 + i, for i < j: line i was allocated (or used) before line j
  reg [WAYS-1:0] oldest;
  integer i, j;

  always @* begin
    hit = 1'b0;
    hit_way = 0;
    valid = 0;
    dirty = 0;
    victim = 0;
    for (i = 0; i < WAYS; i = i + 1) begin
      if (used[i] && keys[i*KEY_W+:KEY_W] == key) begin
        hit = 1'b1;
        hit_way = hit_way | i[WAY_W-1:0];
        valid = valid | valid_lanes[i*LANES+:LANES];
        dirty = dirty | dirty_lanes[i*LANES+:LANES];
      end
      oldest[i] = 1'b1;
      for (j = 0; j < i; j = j + 1) if (older[i*(i-1)/2+j]) oldest[i] = 1'b0;
      for (j = i + 1; j < WAYS; j = j + 1) if (!older[j*(j-1)/2+i]) oldest[i] = 1'b0;
      if (oldest[i]) victim = i[WAY_W-1:0];
    end
    for (i = WAYS - 1; i >= 0; i = i - 1) if (!used[i]) victim = i[WAY_W-1:0];
  end

  always @(posedge clk)
    if (rst) begin
      used <= 0;
      keys <= 0;
      valid_lanes <= 0;
      dirty_lanes <= 0;
      older <= 0;
    end else
      for (i = 0; i < WAYS; i = i + 1)
        if (way == i[WAY_W-1:0]) begin
          if (take) begin
            used[i] <= 1'b1;
            keys[i*KEY_W+:KEY_W] <= key;
          end
          if (take || (lru && touch)) begin
            for (j = 0; j < i; j = j + 1) older[i*(i-1)/2+j] <= 1'b1;
            for (j = i + 1; j < WAYS; j = j + 1) older[j*(j-1)/2+i] <= 1'b0;
          end
          if (give_up) begin
            used[i] <= 1'b0;
            valid_lanes[i*LANES+:LANES] <= 0;
            dirty_lanes[i*LANES+:LANES] <= 0;
          end
          if (write || fill) valid_lanes[i*LANES+:LANES] <= valid_lanes[i*LANES+:LANES] | lanes;
          if (write)
            dirty_lanes[i*LANES+:LANES] <=
                dead ? dirty_lanes[i*LANES+:LANES] & ~lanes : dirty_lanes[i*LANES+:LANES] | lanes;
          if (drop) begin
            valid_lanes[i*LANES+:LANES] <= valid_lanes[i*LANES+:LANES] & ~lanes;
            dirty_lanes[i*LANES+:LANES] <= dirty_lanes[i*LANES+:LANES] & ~lanes;
          end
        end

endmodule
