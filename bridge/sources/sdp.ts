import { findSps } from '../media/h264/parameter-sets.ts'
import { tryReadFrameSize } from '../media/h264/sps.ts'

/** Static RTP payload types of video (RFC 3551 §6). */
const STATIC_PAYLOAD_TYPES: Readonly<Record<string, string>> = {
  26: 'JPEG',
  28: 'NV',
  31: 'H261',
  32: 'MPV',
  33: 'MP2T',
  34: 'H263',
}

const splitLines = (description: string): string[] => description.split('\n').map((line) => line.trimEnd())

export const describesAudio = (description: string): boolean =>
  splitLines(description).some((line) => line.startsWith('m=audio'))

/**
 * Returns the encoding name of the first video stream in the camera's SDP (RFC 4566 §6, `rtpmap`), in upper case;
 * `NONE` if the encoding is unknown. Without video, returns `sound only` or `none`.
 */
export function getVideoEncoding(description: string): string {
  const lines = splitLines(description)
  const video = lines.findIndex((line) => line.startsWith('m=video'))
  if (video === -1) return describesAudio(description) ? 'sound only' : 'none'
  const next = lines.findIndex((line, i) => i > video && line.startsWith('m='))
  return parseEncoding(lines.slice(video, next === -1 ? undefined : next))
}

function parseEncoding([media = '', ...attributes]: readonly string[]): string {
  const [, , , type = ''] = media.split(' ', 4)
  const rtpmapPrefix = `a=rtpmap:${type} `
  const found = attributes.find((line) => line.startsWith(rtpmapPrefix))
  const [name = ''] = /^[\w.-]{0,40}/.exec(found?.slice(rtpmapPrefix.length).trimStart() ?? '') ?? []
  return (name || STATIC_PAYLOAD_TYPES[type] || 'none').toUpperCase()
}

/** Returns the frame size in the parameter sets of an H.264 description (RFC 6184 §8.1); undefined if unknown. */
export function findSdpFrameSize(description: string): { width: number; height: number } | undefined {
  const sets = /sprop-parameter-sets=([\w+/=,-]{1,2000})/i.exec(description)?.[1] ?? ''
  const sps = findSps(sets.split(',').map((set) => Buffer.from(set, 'base64')))
  return sps && tryReadFrameSize(sps)
}
