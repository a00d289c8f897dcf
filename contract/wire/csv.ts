/** Excel takes a file without the byte order mark for ANSI. */
const BYTE_ORDER_MARK = '\uFEFF'
/**
 * Text that a spreadsheet may run as a formula. Spreadsheets skip white space before the sign, and some take its full-width
 * form for the sign.
 */
const FORMULA = /^(?:[\t\r]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u
/** A negative number, with any separators, or a telephone number: no formula, although it starts with a sign. */
const NUMBER = /^\s*(?:-\d[\d.,]*|\+\d{1,3}(?: \d+)+)\s*$/

/**
 * A table as CSV (RFC 4180) in UTF-8: rows end with CRLF, a cell with a comma, quote or line break stands in quotes. A cell that
 * a spreadsheet would run as a formula gets an apostrophe in front.
 */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
