/** Static payload types of video (RFC 3551 §6). */
const STATIC: Readonly<Record<string, string>> = { 26: 'JPEG', 28: 'NV', 31: 'H261', 32: 'MPV', 33: 'MP2T', 34: 'H263' }

/**
 * The encoding name of the first video that a camera describes (RFC 4566 §6, `rtpmap`), of what ffmpeg repeats of its
 * description. Undefined: it has described nothing.
 */
export function describedVideo(stderr: string): string | undefined {
  const [, description] = /\bSDP:\r?\n([\s\S]*?)(?:\n\[|$)/.exec(stderr) ?? []
  if (description === undefined) return undefined
  const section = description.split(/^(?=m=)/m).find((part) => part.startsWith('m=video'))
  if (section === undefined) return /^m=audio/m.test(description) ? 'sound only' : 'none'
  const [, type = ''] = /^m=video \S+ \S+ (\d+)/.exec(section) ?? []
  const name = new RegExp(`^a=rtpmap:${type} +([\\w.-]+)`, 'm').exec(section)?.[1] ?? STATIC[type]
  return name?.toUpperCase() ?? 'none'
}
