/** Measuring so that what else the machine does falls on all alike. */

/**
 * Runs each way once a round, in another order each time, and gives for each its median in
 * milliseconds. `ways` are functions by name; the first round is not counted.
 */
export async function medians(ways, rounds) {
  const names = Object.keys(ways);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      const took = await ways[name]();
      if (round > 0) times[name].push(took);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]));
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Rows of text in columns. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => row.map((cell, column) => pad(cell, widths[column], column)).join("  "))
    .join("\n");
}

function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
