import type { LoginRejectionKind } from './login-backoff.ts'
import type { RtspRefusal } from './rtsp-camera-socket.ts'
import type { ConnectionEnd } from './rtsp-connection.ts'
import { getVideoEncoding } from './sdp.ts'

function getInstallHint(platform: NodeJS.Platform): string {
  if (platform === 'darwin') return '"brew install ffmpeg"'
  return '"sudo apt install ffmpeg" (or your system\'s package manager)'
}

const FFMPEG_MISSING_TEXT = `ffmpeg isn't installed. Install it with ${getInstallHint(process.platform)}, and the camera will start automatically.`
export const NO_KEYFRAME_TEXT =
  "The camera's video has no keyframe to start from. Set its keyframe (I-frame) interval to 1 or 2 seconds."
export const NO_FRAME_YET_TEXT = "The camera hasn't sent video yet. Some cameras take up to 20 seconds to start."
const NO_ENCODER_TEXT =
  "The camera sends H.265, which this version of ffmpeg can't convert. Choose H.264 in the camera's settings, or use the address of its sub-stream."
const NOT_H264_TEXT =
  "The camera doesn't send H.264. Choose H.264 in its settings, or use the address of its sub-stream."
const UNPLAYABLE_TEXT =
  "The camera sends 10-bit, 4:2:2, or 4:4:4 H.264, which browsers can't play. Choose the Main or High profile in its settings, or use the address of its sub-stream."
const SILENT_TEXT = 'The camera stopped sending video. Reconnecting…'
const CLOSED_TEXT = 'The camera stopped sending data. Reconnecting…'
const CLOSED_EARLY_TEXT = 'The camera closed the connection before sending video. Reconnecting…'
const NO_VIDEO_TEXT = "This address doesn't provide video. Check the camera's address."
const SOUND_ONLY_TEXT =
  "This stream only has sound. Check the path in its address, or turn on video in the camera's settings."
const NO_DESCRIPTION_TEXT =
  'The camera responds but has no video stream at this address. Check the path, or restart the camera.'
const NO_ANSWER_TEXT = "The camera isn't responding or isn't sending video. Check that it's on and connected."
const NO_PICTURE_TEXT =
  "The camera offers a video stream, but its video can't be decoded. Retrying… If this continues, restart the camera."
const NO_DATAGRAMS_TEXT =
  "The camera sends video only over UDP, but no data is getting through. Set RTSP to use TCP in the camera's settings, or allow the camera's UDP traffic in the hub's firewall."
const MISLABELED_CODEC_TEXT =
  'The camera claims to send H.264 but sends something else. Choose H.264 in its settings, save the change, and restart the camera.'

/** Sentence for the owner if the camera requires a login and its address contains none. */
export const LOGIN_REQUIRED_TEXT =
  'The camera requires a username and password. Add them before the host in its address.'
const WRONG_LOGIN_TEXT = 'The camera rejected the username or password. Check the login in its address.'
const FORBIDDEN_TEXT =
  "The camera doesn't let this user view video. Allow live view in the camera's settings, or use a different login in the camera's address."
const BUSY_TEXT = "The camera is busy. Close the camera's app and other viewers. Retrying…"

const STREAM_NOT_FOUND_TEXT =
  "The camera lists this stream but doesn't send it (404). Retrying… If this continues, restart the camera."

/** RTSP status (RFC 2326 §11) → sentence for the owner. */
const STATUS_TEXTS: Readonly<Record<number, string>> = {
  401: WRONG_LOGIN_TEXT,
  403: FORBIDDEN_TEXT,
  404: 'The camera responds but has no stream at this path. Check the path in its address.',
  453: BUSY_TEXT,
  454: 'The camera dropped the connection. It may have restarted. Reconnecting…',
  461: "The camera doesn't send video over TCP or UDP. In the camera's settings, set RTSP to use TCP or UDP.",
  503: BUSY_TEXT,
}

/** Statuses after which repeated attempts may lock the user. */
const LOGIN_REJECTIONS: Readonly<Record<number, LoginRejectionKind>> = { 401: 'login', 403: 'right' }

function explainStatus(status: number, hasLogin: boolean): string {
  const sentence = status === 401 && !hasLogin ? LOGIN_REQUIRED_TEXT : STATUS_TEXTS[status]
  if (sentence !== undefined) return sentence
  return status >= 500
    ? `The camera reports an internal error (${status}). Retrying… If this continues, restart the camera.`
    : `The camera can't play this stream (${status}). Retrying… Check the path in the camera's address.`
}

/** Pattern in ffmpeg's stderr → sentence for the owner. The first match wins. */
const FFMPEG_ERRORS: readonly (readonly [RegExp, string])[] = [
  [/unknown encoder 'libx264'/i, NO_ENCODER_TEXT],
  [/not supported by the bitstream filter|unsupported codec/i, NOT_H264_TEXT],
  [/missing picture in access unit|data partitioning is not implemented/i, MISLABELED_CODEC_TEXT],
  [/non-existing pps|dimensions not set/i, NO_KEYFRAME_TEXT],
]

const UNREACHABLE_TEXT = "The camera can't be reached. Check that it's on and connected to the network."
const UNKNOWN_HOST_TEXT = "The camera's hostname can't be found. Check the address."
/** Connection error (`RtspRefusal.code`) → sentence for the owner. */
const CONNECTION_ERROR_TEXTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "The camera refused the connection. Check that it's on and that the port in its address is correct.",
  EHOSTUNREACH: UNREACHABLE_TEXT,
  ENETUNREACH: UNREACHABLE_TEXT,
  EHOSTDOWN: UNREACHABLE_TEXT,
  ENOTFOUND: UNKNOWN_HOST_TEXT,
  EAI_AGAIN: UNKNOWN_HOST_TEXT,
}

const STATUS_PATTERN = /method (?:SETUP|PLAY) failed: (\d{3})/
/** Matches ffmpeg's message if the camera answers SETUP with a transport other than the requested one. */
const WRONG_TRANSPORT_PATTERN = /nonmatching transport in server reply/i
/**
 * `VIDEO_STREAM_PATTERN` and `AUDIO_STREAM_PATTERN` match the streams that ffmpeg lists after it has recognized the
 * camera's data.
 */
export const VIDEO_STREAM_PATTERN = /Stream #0:\d{1,2}.{0,200}: Video: /
export const AUDIO_STREAM_PATTERN = /Stream #0:\d{1,2}.{0,200}: Audio: |for stream \d{1,2} \(Audio: /
export const AUDIO_ERROR_PATTERN =
  /unknown encoder 'libopus'|audio encoding failed|initializing output stream 1:|decod\w{1,20} .{0,200}for input stream #0:1/i

export interface ConnectionContext {
  readonly hasLogin: boolean
  readonly udp: boolean
  /** True if the connection transcodes, so that it accepts H.265 too. */
  readonly transcode: boolean
}

export interface RtspFailure {
  readonly reason: string
  /** The reason with the host of a redirect, which only the owner may see. */
  readonly forOwner?: string
  /**
   * `tcp`: the camera sends by UDP only. `door`: the cause is unclear until an RTSP probe runs. Other kinds: an early
   * retry may lock the user.
   */
  readonly kind?: LoginRejectionKind | 'tcp' | 'door'
  /** True if the bridge could not sign in, because of a redirect or an unsupported authentication scheme. */
  readonly endedBeforeSignIn?: boolean
  /** True if the reason is a guess, because the only symptom is that no frame has arrived yet. */
  readonly isGuess?: boolean
}

/** Explains why a connection ended, and classifies the failure for the next attempt. */
export function explainConnectionEnd(end: ConnectionEnd, context: ConnectionContext): RtspFailure {
  const { how, stderr, description, refusal: rtspRefusal, played, suspendedMs } = end
  if (how === 'missing') return { reason: FFMPEG_MISSING_TEXT }
  if (how === 'suspended') return { reason: formatSuspension(suspendedMs) }
  if (how === 'garbage') return { reason: NO_VIDEO_TEXT }
  if (how === 'unplayable') return { reason: UNPLAYABLE_TEXT }
  if (played) return { reason: how === 'silent' ? SILENT_TEXT : CLOSED_TEXT }
  const special = rtspRefusal && explainSpecialRefusal(rtspRefusal)
  if (special) return special
  const status = rtspRefusal?.status ?? Number(STATUS_PATTERN.exec(stderr)?.[1] ?? 0)
  const isUdpOnly = !context.udp && (status === 461 || WRONG_TRANSPORT_PATTERN.test(stderr))
  if (isUdpOnly) return { reason: explainStatus(461, context.hasLogin), kind: 'tcp' }
  if (status > 0) {
    const kind = context.hasLogin ? LOGIN_REJECTIONS[status] : undefined
    // True if the camera sent an SDP for this path, but then answered 404.
    const isPath = status === 404 && description !== undefined
    return { reason: isPath ? STREAM_NOT_FOUND_TEXT : explainStatus(status, context.hasLogin), ...(kind && { kind }) }
  }
  const knownError = FFMPEG_ERRORS.find(([pattern]) => pattern.test(stderr))
  return knownError ? { reason: knownError[1] } : explainFromSdp(end, context)
}

function explainSpecialRefusal({ code, signIn, redirect }: RtspRefusal): RtspFailure | undefined {
  if (redirect !== undefined)
    return { reason: formatRedirect('another address'), forOwner: formatRedirect(redirect), endedBeforeSignIn: true }
  if (signIn !== undefined) return { reason: formatUnsupportedSignIn(signIn), endedBeforeSignIn: true }
  const reason = code === undefined ? undefined : CONNECTION_ERROR_TEXTS[code]
  return reason === undefined ? undefined : { reason }
}

const formatRedirect = (host: string) =>
  `The camera redirects to ${host}. To protect your password, the hub didn't follow the redirect. If you trust that address, use it to add the camera.`

export const formatUnsupportedSignIn = (schemes: string) =>
  `The camera requires a login method that the hub doesn't support (${schemes}). Choose Digest with MD5 or SHA-256 in the camera's security settings.`

function explainFromSdp({ how, description }: ConnectionEnd, { udp, transcode }: ConnectionContext): RtspFailure {
  if (description === undefined)
    return { reason: how === 'silent' ? NO_ANSWER_TEXT : NO_DESCRIPTION_TEXT, kind: 'door', isGuess: true }
  const video = getVideoEncoding(description)
  if (video === 'sound only') return { reason: SOUND_ONLY_TEXT }
  if (video === 'none') return { reason: NO_DESCRIPTION_TEXT }
  if (video !== 'H264' && !(transcode && video === 'H265')) return { reason: NOT_H264_TEXT }
  if (how !== 'silent') return { reason: CLOSED_EARLY_TEXT }
  return { reason: udp ? NO_DATAGRAMS_TEXT : NO_PICTURE_TEXT, isGuess: true }
}

function formatSuspension(ms: number): string {
  return `The hub's computer was asleep for ${Math.round(ms / 1000)} seconds. Reconnecting…`
}
