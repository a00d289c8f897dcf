import type { RunEnd } from './rtsp-run.ts'

/** How to install ffmpeg where this program runs. */
function installHint(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '"brew install ffmpeg"'
  if (platform === 'win32') return '"winget install ffmpeg"'
  return '"sudo apt install ffmpeg" (or your system\'s package manager)'
}

const FFMPEG_MISSING = `ffmpeg is not installed. Install it with ${installHint(process.platform)} and the camera will start by itself.`
export const NO_KEYFRAME =
  'The camera sends pictures, but no keyframe to begin with. Set its keyframe (I-frame) interval to 1 or 2 seconds.'
const NO_ENCODER =
  'The camera sends H.265, and this ffmpeg cannot turn it into H.264. Choose H.264 in the camera, or the address of its sub-stream.'
const SILENT = 'The camera stopped sending pictures. Trying again.'
const CLOSED = 'The camera stopped sending. Trying again.'
const NO_VIDEO = 'What the camera sends is not a video stream. Check its address.'
const LIES =
  'The camera says that it sends H.264, but sends something else. Choose H.264 in its settings, save, and restart it.'

/** What ffmpeg complains about → what the owner reads. The first that fits counts. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/unknown encoder 'libx264'/i, NO_ENCODER],
  [
    /\b401 unauthori|\b403 forbidden|authorization failed/i,
    'The camera refuses the user name or password. Correct them in its address.',
  ],
  [/\b404 (stream )?not found/i, 'The camera answers, but has no stream at this path. Check the path of its address.'],
  [
    /connection refused/i,
    'The camera refuses the connection. Check that it is on and that the port of its address is right.',
  ],
  [
    /no route to host|network is unreachable|host is down/i,
    'The camera cannot be reached over the network. Check that it is on and connected.',
  ],
  [
    /name or service not known|failed to resolve|temporary failure in name resolution|nodename nor servname/i,
    'The host name of the camera is unknown. Check its address.',
  ],
  [
    /h264_mp4toannexb|codec .*not supported|hevc|h265|unsupported codec/i,
    'The camera does not send H.264. Choose H.264 in its settings, or the address of its sub-stream.',
  ],
  [/missing picture in access unit|data partitioning is not implemented/i, LIES],
  [/non-existing pps|dimensions not set/i, NO_KEYFRAME],
  [/timed? ?out/i, 'The camera gives no answer, or no picture. Check that it is on and connected.'],
  [/invalid data found|protocol not found/i, NO_VIDEO],
]

/** Whether the camera sends H.265. */
export const SENDS_H265 = /video: hevc|h265/i
/** What ffmpeg lists of a camera that it has understood. */
export const SENDS_VIDEO = /Stream #0:\d+.*: Video: /
export const SENDS_SOUND = /Stream #0:\d+.*: Audio: |for stream \d+ \(Audio: /
/** The connection ended because of its sound. */
export const SOUND_FAILED =
  /unknown encoder 'libopus'|audio encoding failed|initializing output stream 1:|decod\w+ .*for input stream #0:1/i

/** One sentence for the end of a connection to a camera; `transcoding` when any codec would have done. */
export function reasonOf({ how, stderr, played }: RunEnd, transcoding = false): string {
  if (how === 'missing') return FFMPEG_MISSING
  if (how === 'garbage') return NO_VIDEO
  if (played) return how === 'silent' ? SILENT : CLOSED
  const said = transcoding ? stderr.replaceAll(/hevc|h265/gi, '') : stderr
  const known = REASONS.find(([pattern]) => pattern.test(how === 'silent' ? `${said} timed out` : said))
  return known?.[1] ?? 'The camera gives no picture. Check its address; trying again.'
}
