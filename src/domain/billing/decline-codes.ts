/** Codes of a declined payment: 4220 to 4226, and 0000, whose response lists the invalid fields. */
const DECLINE_CODES = /^(422[0-6]|0000)$/

export const isDeclineCode = (code: string): boolean => DECLINE_CODES.test(code)
