import {
  listSearchPaths,
  findCameraBrand,
  detectBrand,
  type StreamPaths,
} from '../../contract/cameras/camera-brands.ts'
import type { CameraChannel, CameraStream, CheckStep } from '../../contract/cameras/camera-setup.ts'
import { fetchCameraName, fetchCameraTime, fetchStreams, openOnvifSession } from '../discovery/onvif.ts'
import type { OnvifSession } from '../discovery/onvif-session.ts'
import type { CameraUser } from '../discovery/soap.ts'
import { findSdpFrameSize } from '../sources/sdp.ts'
import { chooseChannels, chooseStreams } from './choose-streams.ts'
import { formatUnsupportedSignIn } from '../sources/rtsp-errors.ts'
import { RtspDescriber, type RtspDescription } from '../sources/rtsp-describer.ts'
import { probeRtsp, formatProbeFailure, type ProbeFailure } from '../sources/rtsp-probe.ts'
import { LOGIN_FAILURE_TEXTS, LOGIN_MISSING_TEXT } from './login-texts.ts'

const RTSP_PORT = 554
/** Ports of ONVIF services, tried after the one of the brand. */
const ONVIF_PORTS = [80, 8000, 2020, 8899, 8080]

const NO_STREAM_TEXT =
  'No stream found at the usual addresses. Choose the brand, or enter the full address, starting with rtsp://.'
const ONVIF_REFUSED_TEXT = `${LOGIN_FAILURE_TEXTS.login} If the login is correct, the camera may have separate ONVIF users. Enter the full address, starting with rtsp://.`

export interface SearchTarget {
  /** Host as typed; the found addresses contain it. */
  readonly host: string
  /** Resolved address. The search contacts only this address. */
  readonly address: string
  readonly port: number | null
  readonly user: string
  readonly password: string
  readonly brand: string
  /** ONVIF services that network discovery has found at this address. */
  readonly services: readonly string[]
  readonly onvifPorts?: readonly number[] | undefined
}

export interface FoundStreams {
  readonly main: CameraStream
  readonly sub: CameraStream | null
  readonly name: string
  readonly brand: string
  /** Channels of a device that has several. */
  readonly channels?: CameraChannel[]
}

export type SearchResult = { readonly found: FoundStreams } | { readonly failed: CheckStep; readonly words: string }

/**
 * Finds the streams of a camera in the order of risk: usual paths without a login, ONVIF with the login, usual paths
 * with the login. Stops at the first refusal of the login, because cameras lock. `onReached` is called when the camera
 * answers, and `startLogin` before the login is sent; it throws if that is not allowed.
 */
export class StreamSearch {
  readonly #target: SearchTarget
  readonly #onReached: () => void
  readonly #startLogin: () => void
  readonly #paths: readonly StreamPaths[]
  #port: number | undefined

  constructor(target: SearchTarget, onReached: () => void, startLogin: () => void) {
    this.#target = target
    this.#onReached = onReached
    this.#startLogin = startLogin
    this.#paths = listSearchPaths(target.brand)
  }

  async run(): Promise<SearchResult> {
    const failure = await this.#findPort()
    if (failure !== undefined && failure !== 'closed' && failure !== 'foreign')
      return { failed: 'reachable', words: formatProbeFailure(failure, this.#createUrl(RTSP_PORT)) }
    if (this.#port !== undefined) this.#onReached()
    const open = this.#port === undefined ? undefined : await this.#searchPaths(this.#paths, false)
    if (open && 'found' in open) return open
    const asksForLogin = open?.statuses.some((status) => status === 401) ?? false
    if (asksForLogin && this.#target.user === '') return { failed: 'signed_in', words: LOGIN_MISSING_TEXT }
    const onvif = await this.#searchOnvif()
    if (onvif) return onvif
    if (this.#port === undefined)
      return {
        failed: 'reachable',
        words: formatProbeFailure(failure ?? 'closed', this.#createUrl(this.#ports[0] ?? RTSP_PORT)),
      }
    if (!asksForLogin) return { failed: 'picture', words: NO_STREAM_TEXT }
    const loginPaths = this.#paths.filter((_, i) => open?.statuses[i] === 401)
    return this.#searchWithLogin(loginPaths)
  }

  get #ports(): readonly number[] {
    const { port, brand } = this.#target
    if (port !== null) return [port]
    return [...new Set([findCameraBrand(brand)?.rtspPort ?? RTSP_PORT, RTSP_PORT])]
  }

  async #findPort(): Promise<ProbeFailure | undefined> {
    let failure: ProbeFailure | undefined
    for (const port of this.#ports) {
      const { shut } = await probeRtsp(this.#createUrl(port, 'address'))
      if (shut === undefined) {
        this.#port = port
        return undefined
      }
      failure ??= shut
    }
    return failure
  }

  async #searchWithLogin(paths: readonly StreamPaths[]): Promise<SearchResult> {
    this.#startLogin()
    const result = await this.#searchPaths(paths, true)
    if ('found' in result) return result
    if (result.refusal !== undefined) return { failed: 'signed_in', words: result.refusal }
    return { failed: 'picture', words: NO_STREAM_TEXT }
  }

  async #searchPaths(
    paths: readonly StreamPaths[],
    hasLogin: boolean,
  ): Promise<{ found: FoundStreams } | { statuses: number[]; refusal: string | undefined }> {
    const { user, password } = this.#target
    const url = this.#createUrl(this.#port ?? RTSP_PORT, 'address')
    if (hasLogin) [url.username, url.password] = [encodeURIComponent(user), encodeURIComponent(password)]
    const describer = new RtspDescriber(url)
    const statuses: number[] = []
    try {
      for (const { main, sub } of paths) {
        const description = await describer.describe(main)
        statuses.push(description.status)
        const refusal = hasLogin ? explainRefusal(description) : undefined
        if (refusal !== undefined) return { statuses, refusal }
        if (description.status === 0 && !description.refusal) break
        if (description.status !== 200) continue
        const subDescription = sub === null ? undefined : await describer.describe(sub)
        const subStream = subDescription?.status === 200 ? this.#toStream(sub ?? '', subDescription) : null
        return {
          found: {
            main: this.#toStream(main, description),
            sub: subStream,
            name: '',
            brand: this.#findPathBrand(main),
          },
        }
      }
    } finally {
      describer.close()
    }
    return { statuses, refusal: undefined }
  }

  /** Returns undefined if the camera has no ONVIF service, or if the service lists no stream. */
  async #searchOnvif(): Promise<SearchResult | undefined> {
    const { address, user, password } = this.#target
    const service = await this.#findOnvifService()
    if (service === undefined) return undefined
    this.#onReached()
    if (user !== '') this.#startLogin()
    const login: CameraUser | undefined = user === '' ? undefined : { name: user, password }
    const session = openOnvifSession(service, formatHost(address), login)
    try {
      return await this.#readOnvif(session, service)
    } catch {
      return session.isRefused ? { failed: 'signed_in', words: ONVIF_REFUSED_TEXT } : undefined
    }
  }

  async #readOnvif(session: OnvifSession, service: string): Promise<SearchResult | undefined> {
    const { host, address, brand } = this.#target
    const listed = await fetchStreams(session, service, formatHost(address))
    const chosen = chooseStreams(listed)
    if (!chosen) return undefined
    const channels = chooseChannels(listed)
    const { name, type } = await fetchCameraName(session, service)
    const toStream = ({ uri, width, height, fps }: NonNullable<typeof chosen>['main']): CameraStream => {
      const url = new URL(uri)
      url.hostname = host
      return { address: url.href, width, height, fps, problem: '' }
    }
    const main = toStream(chosen.main)
    const sub = chosen.sub ? toStream(chosen.sub) : null
    const found = { main, sub, name, brand: detectBrand(type) || brand }
    if (channels.length === 0) return { found }
    const addresses = channels.map((channel) => ({
      main: toStream(channel.main).address,
      sub: channel.sub ? toStream(channel.sub).address : '',
    }))
    return { found: { ...found, channels: addresses } }
  }

  async #findOnvifService(): Promise<string | undefined> {
    const { address, brand, services, onvifPorts = ONVIF_PORTS } = this.#target
    const ports = [...new Set([findCameraBrand(brand)?.onvifPort ?? onvifPorts[0], ...onvifPorts])]
    const guessed = ports.map((port) => `http://${formatHost(address)}:${port}/onvif/device_service`)
    const candidates = [...new Set([...services, ...guessed])]
    const times = await Promise.all(candidates.map((service) => fetchCameraTime(address, service)))
    return candidates.find((_, i) => times[i] !== undefined)
  }

  #createUrl(port: number, kind: 'host' | 'address' = 'host'): URL {
    return new URL(`rtsp://${formatHost(this.#target[kind])}:${port}/`)
  }

  #toStream(path: string, { sdp }: RtspDescription): CameraStream {
    const port = this.#port ?? RTSP_PORT
    const { width = 0, height = 0 } = findSdpFrameSize(sdp) ?? {}
    return { address: `rtsp://${this.#target.host}:${port}${path}`, width, height, fps: 0, problem: '' }
  }

  /** The path proves the brand only if the chosen brand uses it: several brands share a path. */
  #findPathBrand(main: string): string {
    const isOwnPath = findCameraBrand(this.#target.brand)?.streams.some((paths) => paths.main === main)
    return isOwnPath ? this.#target.brand : ''
  }
}

/** Returns the reason if the camera refused the login; undefined otherwise. */
function explainRefusal({ status, refusal }: RtspDescription): string | undefined {
  if (refusal?.signIn !== undefined) return formatUnsupportedSignIn(refusal.signIn)
  if (status === 401) return LOGIN_FAILURE_TEXTS.login
  return status === 403 ? LOGIN_FAILURE_TEXTS.right : undefined
}

const formatHost = (host: string) => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
