/** Without the byte order mark, Excel reads the file as ANSI. */
const BYTE_ORDER_MARK = '\uFEFF'
/**
 * Text that a spreadsheet may run as a formula. Spreadsheets skip white space before the sign, and some accept its
 * full-width form.
 */
const FORMULA_PATTERN = /^(?:[\t\r]|[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/u
/** Matches a negative number with any separators, or a phone number. Neither is a formula, despite the leading sign. */
const NUMBER_PATTERN = /^\s*(?:-\d[\d.,]*|\+\d{1,3}(?: \d+)+)\s*$/

/**
 * Returns a table as CSV (RFC 4180) in UTF-8 with CRLF rows. Cells with a comma, quote or line break are quoted. A cell
 * that a spreadsheet would run as a formula gets a leading apostrophe.
 */
export function toCsv(rows: readonly (readonly (string | number)[])[]): string {
  return BYTE_ORDER_MARK + rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('')
}

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  const safe = FORMULA_PATTERN.test(value) && !NUMBER_PATTERN.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
