/** A number string with two decimals, rounded (CONST-19); text that is no number stays as it is. */
export function twoDecimals(text: string): string {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) ? value.toFixed(2) : text
}
