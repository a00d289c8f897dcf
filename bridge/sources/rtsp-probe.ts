import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'

const PROBE_TIMEOUT_MS = 4000
const USUAL_RTSP_PORT = 554

/** Reason why an RTSP probe failed; `formatProbeFailure` explains each one. */
export type ProbeFailure = 'unknown' | 'unreachable' | 'silent' | 'closed' | 'mute' | 'hangs up' | 'foreign'

/** Result of an RTSP probe: the reason if it failed, otherwise the camera's time if its response contains one. */
export interface RtspProbeResult {
  readonly shut?: ProbeFailure
  readonly clock?: Date | undefined
}

/**
 * Explains a probe failure and its remedy. With `url`, the text contains host and port, so callers must pass `url` only
 * if the owner alone can read the text.
 */
export function formatProbeFailure(failure: ProbeFailure, url?: URL): string {
  const host = url ? getRtspHost(url) : 'The camera'
  const port = url ? `port ${getRtspPort(url)}` : 'the port in its address'
  const isUsualPort = url !== undefined && getRtspPort(url) === USUAL_RTSP_PORT
  const remedy = isUsualPort
    ? "Check that this is the camera's address and that RTSP is on."
    : `The RTSP port is usually ${USUAL_RTSP_PORT}.`
  const portRemedy = isUsualPort ? 'check that RTSP is on.' : `check ${port}. ${remedy}`
  const sentences: Record<ProbeFailure, string> = {
    unknown: `Your network can't find ${url ? host : "the camera's hostname"}. Use the camera's IP address from your router's device list.`,
    unreachable: `${host} can't be reached. Check that the camera is on and connected to the network.`,
    silent: `${host} isn't responding. Check that the camera is on and connected to this network, and that its address is correct.`,
    closed: `${host} is online, but ${port} is closed. Turn on RTSP in the camera's settings, or correct the port.`,
    mute: `${host} accepts connections on ${port} but isn't responding. ${remedy}`,
    'hangs up': `${host} closes the connection immediately. Close other viewers, or ${portRemedy}`,
    foreign: `${host} responds on ${port}, but not with RTSP. ${remedy}`,
  }
  return sentences[failure]
}

export const getRtspHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '')
export const getRtspPort = (url: URL) => Number(url.port) || (url.protocol === 'rtsps:' ? 322 : USUAL_RTSP_PORT)

/** Probes a camera: resolves its hostname, opens its port and sends OPTIONS (RFC 2326 §10.1). */
export async function probeRtsp(url: URL): Promise<RtspProbeResult> {
  const host = getRtspHost(url)
  try {
    await lookup(host)
  } catch {
    return { shut: 'unknown' }
  }
  // For `rtsps:`, the probe only opens the port, because the probe does not support TLS.
  const isTls = url.protocol === 'rtsps:'
  const result = await sendOptions(host, getRtspPort(url), isTls)
  if ('shut' in result) return result
  if (isTls) return {}
  if (result.text === '') return { shut: 'hangs up' }
  if (!/^RTSP\/1\.\d \d/.test(result.text)) return { shut: 'foreign' }
  const time = /^Date: *(.+)$/im.exec(result.text)?.[1]
  const cameraTime = time === undefined ? undefined : new Date(time)
  return { clock: cameraTime && !isNaN(cameraTime.getTime()) ? cameraTime : undefined }
}

type OptionsResult = { readonly shut: ProbeFailure } | { readonly text: string }

function sendOptions(host: string, port: number, onlyOpen: boolean): Promise<OptionsResult> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const done = (result: OptionsResult) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    let hasConnected = false
    const timer = setTimeout(() => done({ shut: hasConnected ? 'mute' : 'silent' }), PROBE_TIMEOUT_MS)
    socket.on('connect', () => {
      hasConnected = true
      if (onlyOpen) return done({ text: '' })
      socket.write(`OPTIONS rtsp://${host}:${port}/ RTSP/1.0\r\nCSeq: 1\r\n\r\n`)
    })
    let text = ''
    socket.on('data', (data) => {
      text += data.toString('latin1')
      if (text.includes('\r\n\r\n') || text.length > 4000 || !'RTSP'.startsWith(text.slice(0, 4))) done({ text })
    })
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (hasConnected) done({ text })
      else done({ shut: code === 'ECONNREFUSED' ? 'closed' : 'unreachable' })
    })
    socket.on('close', () => done({ text }))
  })
}
