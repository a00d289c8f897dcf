/** What a program for tables takes for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/
/** An amount below 0 begins as a formula does and is none. */
const AMOUNT = /^-\d+\.\d\d$/

/**
 * A table as CSV (RFC 4180): rows end with CRLF, a cell with a comma, quote or line break stands in quotes. Text that a
 * program for tables would run as a formula gets an apostrophe in front; numbers and amounts stay what they are.
 */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) && !AMOUNT.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
