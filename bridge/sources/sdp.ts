/** Static payload types of video (RFC 3551 §6). */
const STATIC: Readonly<Record<string, string>> = { 26: 'JPEG', 28: 'NV', 31: 'H261', 32: 'MPV', 33: 'MP2T', 34: 'H263' }

/**
 * The encoding name of the first video that a camera describes (RFC 4566 §6, `rtpmap`), of what ffmpeg repeats of its
 * description. Undefined: it has described nothing.
 */
export function describedVideo(stderr: string): string | undefined {
  const lines = stderr.split('\n').map((line) => line.trimEnd())
  const begin = lines.findIndex((line) => /\bSDP:$/.test(line)) + 1
  if (begin === 0 || begin === lines.length) return undefined
  // What ffmpeg says next begins with the name of its part in brackets.
  const end = lines.findIndex((line, i) => i > begin && line.startsWith('['))
  const description = lines.slice(begin, end === -1 ? undefined : end)
  const video = description.findIndex((line) => line.startsWith('m=video'))
  if (video === -1) return description.some((line) => line.startsWith('m=audio')) ? 'sound only' : 'none'
  const next = description.findIndex((line, i) => i > video && line.startsWith('m='))
  return encodingOf(description.slice(video, next === -1 ? undefined : next))
}

function encodingOf([media = '', ...attributes]: readonly string[]): string {
  const [, , , type = ''] = media.split(' ', 4)
  const map = `a=rtpmap:${type} `
  const found = attributes.find((line) => line.startsWith(map))
  const [name = ''] = /^[\w.-]{0,40}/.exec(found?.slice(map.length).trimStart() ?? '') ?? []
  return (name || STATIC[type] || 'none').toUpperCase()
}
