/**
 * Patterns for sentences that say why a camera shows no live video. The key is a short name of the reason. The first
 * pattern that matches counts, so the order matters.
 */
const REASON_PATTERNS = {
  'no ffmpeg': /install ffmpeg/i,
  'other address': /\bredirects to\b/,
  'unknown sign-in': /\blogin method\b/,
  'not given': /doesn't send it \(404\)/,
  slept: /\basleep for\b/,
  unplayable: /4:2:2/,
  'no encoder': /H\.265/,
  'no keyframe': /\bkeyframe/i,
  'no picture yet': /\b20 seconds\b/,
  'says H.264, sends something else': /\bclaims\b.*H\.264/,
  'not H.264': /H\.264/,
  'nothing by UDP': /UDP.*firewall/,
  'neither TCP nor UDP': /TCP.*UDP/,
  'no right': /this user/,
  'wrong login': /\b(?:rejected|wrong)\b.*password/i,
  'no login': /\b(?:requires|needs)\b.*password/i,
  busy: /\bbusy\b/,
  'lost session': /dropped the connection/,
  fault: /\(5\d\d\)/,
  'refused (302)': /\(302\)/,
  refusal: /\(4\d\d\)/,
  'closed port': /refused the connection/,
  'sound only': /only has sound/,
  'no video described': /has no video stream/,
  'no readable picture': /can't be decoded/,
  froze: /stopped sending video/,
  'hung up': /stopped sending data/,
} as const

export type CameraReason = keyof typeof REASON_PATTERNS

/**
 * Returns the short name of the reason in the text of a camera state or in a line of the doctor command. Returns the
 * text unchanged if no pattern matches (for example `live`).
 */
export const parseReason = (text: string | undefined): string | undefined =>
  Object.entries(REASON_PATTERNS).find(([, pattern]) => text !== undefined && pattern.test(text))?.[0] ?? text
