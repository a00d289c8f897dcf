import type { RefusalKind } from './login-backoff.ts'
import type { RtspRefusal } from './rtsp-line.ts'
import type { RunEnd } from './rtsp-connection.ts'
import { describedVideo } from './sdp.ts'

function installHint(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '"brew install ffmpeg"'
  if (platform === 'win32') return '"winget install ffmpeg"'
  return '"sudo apt install ffmpeg" (or your system\'s package manager)'
}

const FFMPEG_MISSING = `ffmpeg is not installed. Install it with ${installHint(process.platform)} and the camera will start automatically.`
export const NO_KEYFRAME =
  'The camera sends pictures, but no keyframe to begin with. Set its keyframe (I-frame) interval to 1 or 2 seconds.'
export const NOT_YET = 'The camera has not sent a picture yet. Some take 20 seconds for their first one.'
const NO_ENCODER =
  'The camera sends H.265, and this ffmpeg cannot turn it into H.264. Choose H.264 in the camera, or the address of its sub-stream.'
const NOT_H264 = 'The camera does not send H.264. Choose H.264 in its settings, or the address of its sub-stream.'
const UNPLAYABLE =
  'The camera sends H.264 with 10 bits, 4:2:2 or 4:4:4, which browsers cannot play. Choose the profile Main or High in its settings, or the address of its sub-stream.'
const SILENT = 'The camera stopped sending pictures. Trying again.'
const CLOSED = 'The camera stopped sending. Trying again.'
const CLOSED_EARLY = 'The camera closed the connection before its first picture. Trying again.'
const NO_VIDEO = 'What the camera sends is not a video stream. Check its address.'
const SOUND_ONLY =
  'The camera sends sound only at this address. Check its path, or switch the picture on in the camera.'
const NO_DESCRIPTION =
  'The camera answers, but describes no video stream. Check the path of its address, or restart the camera.'
const NO_ANSWER = 'The camera gives no answer, or no picture. Check that it is on and connected.'
const NO_PICTURE =
  'The camera describes a video stream, but sends no picture that can be read. Restart it if that stays; trying again.'
const NO_DATAGRAMS =
  'The camera sends by UDP only, and nothing arrives. Choose TCP for RTSP in the camera, or let UDP from it through the firewall of this computer.'
const LIES =
  'The camera says that it sends H.264, but sends something else. Choose H.264 in its settings, save, and restart it.'

/** The camera requires a login, and its address has none. */
export const NO_LOGIN = 'The camera asks for a user name and a password. Write them into its address, before the host.'
const WRONG_LOGIN = 'The camera refuses the user name or password. Correct them in its address.'
const NO_RIGHT =
  'The camera refuses this user. Give it the right to view in the camera, or correct the user name or password in its address.'
const BUSY =
  'The camera says that it is busy. Too many may be watching it: close its own app and other viewers; trying again.'

const NOT_GIVEN = 'The camera describes its stream, but does not give it (404). Restart it if that stays; trying again.'

/** RTSP status (RFC 2326 §11) → sentence for the owner. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: WRONG_LOGIN,
  403: NO_RIGHT,
  404: 'The camera answers, but has no stream at this path. Check the path of its address.',
  453: BUSY,
  454: 'The camera has forgotten the connection, as after a restart. Trying again.',
  461: 'The camera sends its pictures neither by TCP nor by UDP. Choose one of them for RTSP in its settings.',
  503: BUSY,
}

/** Statuses after which repeated attempts may lock the user. */
const REFUSED: Readonly<Record<number, RefusalKind>> = { 401: 'login', 403: 'right' }

function refusal(status: number, hasLogin: boolean): string {
  const sentence = status === 401 && !hasLogin ? NO_LOGIN : REFUSALS[status]
  if (sentence !== undefined) return sentence
  return status >= 500
    ? `The camera reports a fault of its own (${status}). Restart it if that stays; trying again.`
    : `The camera refuses to play (${status}). Check the path of its address; trying again.`
}

/** Pattern in ffmpeg's stderr → sentence for the owner. The first match wins. */
const COMPLAINTS: readonly (readonly [RegExp, string])[] = [
  [/unknown encoder 'libx264'/i, NO_ENCODER],
  [/not supported by the bitstream filter|unsupported codec/i, NOT_H264],
  [/missing picture in access unit|data partitioning is not implemented/i, LIES],
  [/non-existing pps|dimensions not set/i, NO_KEYFRAME],
]

const UNREACHABLE = 'The camera cannot be reached over the network. Check that it is on and connected.'
const UNKNOWN_HOST = 'The host name of the camera is unknown. Check its address.'
/** Connection error (`RtspRefusal.code`) → sentence for the owner. */
const NO_CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The camera refuses the connection. Check that it is on and that the port of its address is right.',
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EHOSTDOWN: UNREACHABLE,
  ENOTFOUND: UNKNOWN_HOST,
  EAI_AGAIN: UNKNOWN_HOST,
}

const STATUS = /method (?:SETUP|PLAY) failed: (\d{3})/
/** Matches ffmpeg's message if the camera answers SETUP with a transport other than the requested one. */
const WITHOUT_TCP = /nonmatching transport in server reply/i
/** Match the streams that ffmpeg lists once it has recognized the camera's data. */
export const SENDS_VIDEO = /Stream #0:\d{1,2}.{0,200}: Video: /
export const SENDS_SOUND = /Stream #0:\d{1,2}.{0,200}: Audio: |for stream \d{1,2} \(Audio: /
export const SOUND_FAILED =
  /unknown encoder 'libopus'|audio encoding failed|initializing output stream 1:|decod\w{1,20} .{0,200}for input stream #0:1/i

export interface ConnectionContext {
  readonly hasLogin: boolean
  readonly udp: boolean
  /** True if the connection transcodes, and so accepts any codec. */
  readonly transcode: boolean
}

/** Reason why a connection ended or failed. */
export interface RtspFailure {
  readonly reason: string
  /** The same reason with the host, for the owner only. */
  readonly forOwner?: string
  /**
   * `tcp`: the camera sends by UDP only. `door`: the cause is unclear, and only an RTSP probe can tell more. Other
   * kinds: retrying soon may lock the user.
   */
  readonly kind?: RefusalKind | 'tcp' | 'door'
  /** True if the connection ended before the camera accepted the login. */
  readonly isUnsigned?: boolean
  /** True if the only evidence is that no frame has arrived; one may still come. */
  readonly isGuess?: boolean
}

/** Explains in one sentence why a connection ended, and classifies the failure for the next attempt. */
export function toVerdict(end: RunEnd, context: ConnectionContext): RtspFailure {
  const { how, stderr, description, refusal: rtspRefusal, played, stoodMs } = end
  if (how === 'missing') return { reason: FFMPEG_MISSING }
  if (how === 'suspended') return { reason: stoodStill(stoodMs) }
  if (how === 'garbage') return { reason: NO_VIDEO }
  if (how === 'unplayable') return { reason: UNPLAYABLE }
  if (played) return { reason: how === 'silent' ? SILENT : CLOSED }
  const special = rtspRefusal && specialRefusal(rtspRefusal)
  if (special) return special
  const status = rtspRefusal?.status ?? Number(STATUS.exec(stderr)?.[1] ?? 0)
  const refusesTcp = !context.udp && (status === 461 || WITHOUT_TCP.test(stderr))
  if (refusesTcp) return { reason: refusal(461, context.hasLogin), kind: 'tcp' }
  if (status > 0) {
    const kind = context.hasLogin ? REFUSED[status] : undefined
    // True for a 404 although the camera has described a stream at this path.
    const isPath = status === 404 && description !== undefined
    return { reason: isPath ? NOT_GIVEN : refusal(status, context.hasLogin), ...(kind && { kind }) }
  }
  const complaint = COMPLAINTS.find(([pattern]) => pattern.test(stderr))
  return complaint ? { reason: complaint[1] } : withoutComplaint(end, context)
}

/**
 * Explains a refusal without an RTSP status to report: a redirect, an unsupported authentication scheme or a connection
 * error.
 */
function specialRefusal({ code, signIn, redirect }: RtspRefusal): RtspFailure | undefined {
  if (redirect !== undefined)
    return { reason: redirected('another address'), forOwner: redirected(redirect), isUnsigned: true }
  if (signIn !== undefined) return { reason: unknownSignIn(signIn), isUnsigned: true }
  const reason = code === undefined ? undefined : NO_CONNECTION[code]
  return reason === undefined ? undefined : { reason }
}

const redirected = (host: string) =>
  `The camera sends viewers on to ${host}. Nothing was sent there, so that your password stays with the camera. If you trust that address, add the camera with it.`

const unknownSignIn = (kinds: string) =>
  `The camera asks for a kind of sign-in that this version does not support (${kinds}). Choose Digest with MD5 or SHA-256 in its security settings.`

/** Explains a failure without a useful ffmpeg message by means of the camera's SDP. */
function withoutComplaint({ how, description }: RunEnd, { udp, transcode }: ConnectionContext): RtspFailure {
  if (description === undefined)
    return { reason: how === 'silent' ? NO_ANSWER : NO_DESCRIPTION, kind: 'door', isGuess: true }
  const video = describedVideo(description)
  if (video === 'sound only') return { reason: SOUND_ONLY }
  if (video === 'none') return { reason: NO_DESCRIPTION }
  if (video !== 'H264' && !(transcode && video === 'H265')) return { reason: NOT_H264 }
  if (how !== 'silent') return { reason: CLOSED_EARLY }
  return { reason: udp ? NO_DATAGRAMS : NO_PICTURE, isGuess: true }
}

function stoodStill(ms: number): string {
  return `The computer of the box slept or stood still for ${Math.round(ms / 1000)} seconds. Connecting again.`
}
