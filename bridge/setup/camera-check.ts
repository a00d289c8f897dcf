import { INVALID_ADDRESS_TEXT, parseCameraAddress } from '../../contract/cameras/camera-address.ts'
import type { CameraRequest, CameraStream } from '../../contract/cameras/camera-setup.ts'
import { parseRtspUrl } from '../sources/rtsp-address.ts'
import { RtspDescriber } from '../sources/rtsp-describer.ts'
import { probeRtsp, formatProbeFailure } from '../sources/rtsp-probe.ts'
import { findSdpFrameSize } from '../sources/sdp.ts'
import { addLogin } from './camera-url.ts'
import { LoginGate, type LoginAttempts } from './login-attempts.ts'
import { removeLogin } from './stored-streams.ts'
import { resolvePrivateHost, type ResolvedHost } from './private-address.ts'
import { StreamCheck, type ReportStep, type SendCameraAnswer } from './stream-check.ts'
import { StreamSearch, type FoundStreams } from './stream-search.ts'

const HOME_NETWORK_TEXT = 'On your home network'
const PUBLIC_ADDRESS_TEXT =
  'The hub searches only your home network. For a camera elsewhere, enter the full address, starting with rtsp://.'

type CheckRequest = Extract<CameraRequest, { ask: 'check' }>

export interface CheckContext {
  readonly attempts: LoginAttempts
  /** Returns the ONVIF services that network discovery has found at an IP address. */
  readonly findServices: (address: string) => readonly string[]
  /** ONVIF ports to try; default: the usual ones. */
  readonly onvifPorts?: readonly number[] | undefined
}

/**
 * Tests a camera that the owner typed, and reports each step: network, login, video, sound. If the address is only a
 * host, finds the streams first. Returns true if the camera delivers video. Throws an Error for the owner if the address
 * is invalid, or after too many attempts with a login.
 */
export async function checkCamera(
  request: CheckRequest,
  context: CheckContext,
  sendAnswer: SendCameraAnswer,
): Promise<boolean> {
  const startedAt = performance.now()
  const reportStep: ReportStep = (step, state, text = '') =>
    sendAnswer({
      answer: 'step',
      step,
      state,
      ms: Math.round(performance.now() - startedAt),
      words: text.slice(0, 400),
    })
  const sendStreams = (streams: FoundStreams) => {
    if (request.brand !== undefined) sendAnswer({ answer: 'streams', ...streams })
  }
  const target = parseTarget(request)
  reportStep('reachable', 'running')
  const resolved = await resolvePrivateHost(target.host)
  const gate = new LoginGate(context.attempts, 'address' in resolved ? resolved.address : target.host)
  const streams =
    target.kind === 'host'
      ? await findStreams(request, target, resolved, { context, gate, reportStep })
      : await probeStream(request, target, 'address' in resolved, reportStep)
  if (!streams) return false
  sendStreams(streams)
  const url = parseRtspUrl(addLogin(streams.main.address, request))
  if (url.username !== '') gate.open()
  let main = streams.main
  const isWorking = await new Promise<boolean>((resolve) =>
    new StreamCheck(url, reportStep, sendAnswer, {
      onVideo: (size) => {
        main = { ...main, ...size }
        sendStreams({ ...streams, main })
      },
      onAccepted: () => gate.accept(),
      onEnd: resolve,
    }).start(),
  )
  // The sub-stream needs the same login, so its turn comes after the camera has accepted the login.
  if (isWorking && target.kind === 'stream' && streams.sub)
    sendStreams({ ...streams, main, sub: await describeSubStream(streams.sub, request) })
  return isWorking
}

type Target =
  | { readonly kind: 'host'; readonly host: string; readonly port: number | null }
  | { readonly kind: 'stream'; readonly host: string }

/** Throws an Error for the owner if the address is invalid. */
function parseTarget(request: CheckRequest): Target {
  const parsed = /^rtsps?:/i.test(request.address) ? undefined : parseCameraAddress(request.address)
  if (parsed === null) throw new Error(INVALID_ADDRESS_TEXT)
  if (parsed?.kind === 'host') return parsed
  return { kind: 'stream', host: parseRtspUrl(addLogin(request.address, request)).hostname }
}

interface SearchParts {
  readonly context: CheckContext
  readonly gate: LoginGate
  readonly reportStep: ReportStep
}

async function findStreams(
  { user, password, brand = '' }: CheckRequest,
  { host, port }: Extract<Target, { kind: 'host' }>,
  resolved: ResolvedHost,
  { context, gate, reportStep }: SearchParts,
): Promise<FoundStreams | undefined> {
  if ('refused' in resolved) {
    reportStep('reachable', 'failed', resolved.refused === 'public' ? PUBLIC_ADDRESS_TEXT : formatUnknownHost(host))
    return undefined
  }
  const { address } = resolved
  let isReached = false
  const onReached = () => {
    if (isReached) return
    isReached = true
    reportStep('reachable', 'done', HOME_NETWORK_TEXT)
    reportStep('signed_in', 'running')
  }
  const { findServices, onvifPorts } = context
  const target = { host, address, port, user, password, brand, services: findServices(address), onvifPorts }
  const result = await new StreamSearch(target, onReached, () => gate.open()).run()
  if ('found' in result) return result.found
  if (result.failed === 'picture') reportStep('signed_in', 'done')
  reportStep(result.failed, 'failed', result.words)
  return undefined
}

/** Probes a complete address. Returns its streams as typed, or undefined after reporting why there is none. */
async function probeStream(
  request: CheckRequest,
  { host }: Target,
  isPrivate: boolean,
  reportStep: ReportStep,
): Promise<FoundStreams | undefined> {
  const url = parseRtspUrl(addLogin(request.address, request))
  const { shut } = await probeRtsp(url)
  if (shut) {
    reportStep('reachable', 'failed', formatProbeFailure(shut, url))
    return undefined
  }
  reportStep('reachable', 'done', isPrivate ? HOME_NETWORK_TEXT : `${host} answers`)
  reportStep('signed_in', 'running')
  const { brand = '' } = request
  const main = { address: removeLogin(url), width: 0, height: 0, fps: 0, problem: '' }
  const sub = request.sub ? { ...main, address: request.sub } : null
  return { main, sub, name: '', brand }
}
/** Tries a sub-stream that the owner typed. Returns it with its size, or with the reason why it does not work. */
async function describeSubStream(sub: CameraStream, request: CheckRequest): Promise<CameraStream> {
  let url: URL
  try {
    url = parseRtspUrl(addLogin(sub.address, request))
  } catch {
    return { ...sub, problem: INVALID_ADDRESS_TEXT }
  }
  const describer = new RtspDescriber(url)
  const { status, sdp } = await describer.describe(`${url.pathname}${url.search}`)
  describer.close()
  const stream = { ...sub, address: removeLogin(url) }
  if (status === 200) return { ...stream, ...findSdpFrameSize(sdp) }
  return { ...stream, problem: status === 404 ? 'No stream at this path.' : 'The camera doesn’t offer this stream.' }
}

const formatUnknownHost = (host: string) =>
  `Your network can’t find “${host}”. Enter the camera’s IP address from your router’s device list.`
