import { parse } from 'valibot'
import {
  cameraRequest,
  createSealingContext,
  type CameraAnswer,
  type CameraRequest,
  type FoundCamera,
} from '../../contract/cameras/camera-setup.ts'
import type { BridgeMessage, ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import { openChannelToPage, computeFingerprint, type SealedChannel } from '../../contract/bridge/sealed-channel.ts'
import { type ProbeOptions, findOnvifCameras, type DiscoveredCamera } from '../discovery/ws-discovery.ts'
import type { RtspCamera } from '../cameras/camera-file.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import { checkCamera } from './camera-check.ts'
import { addStoredLogin, describeStoredStreams } from './stored-streams.ts'
import { addLogin } from './camera-url.ts'
import { LoginAttempts } from './login-attempts.ts'
import type { SendCameraAnswer } from './stream-check.ts'
import { RequestNonces } from './request-nonces.ts'
import { loadSealingKey, type SealingKey } from './sealing-key.ts'
import { fetchStreamUrls } from '../discovery/onvif.ts'
import { SoapAuthError } from '../discovery/soap.ts'

const MAX_REQUESTS = 4
const BUSY_TEXT = 'Your hub is checking other cameras. Try again shortly.'

type SealedMessage = Extract<ProviderMessage, { type: 'sealed' }>

export interface CameraSetupParts {
  readonly bridgeId: string
  readonly servesHome: (homeId: string) => boolean
  readonly send: (message: BridgeMessage) => void
  /** Stores and starts a camera. Returns the camera's id. Throws an Error whose message the owner sees. */
  readonly add: (camera: { url: string; sub?: string | undefined; name: string; home: string }) => Promise<string>
  /** Returns a stored camera of the home. Throws an Error whose message the owner sees. */
  readonly find: (deviceId: string, home: string) => Promise<RtspCamera>
  /** Stores new addresses of a camera and starts it again. Throws an Error whose message the owner sees. */
  readonly change: (deviceId: string, streams: { url: string; sub: string }) => Promise<RtspCamera>
  readonly probe?: ProbeOptions
  /** ONVIF ports that the search for streams tries; default: the usual ones. */
  readonly onvifPorts?: readonly number[]
  readonly attempts?: LoginAttempts
}

/**
 * Finds, checks and adds cameras on sealed requests from an owner's page. Each request needs a new nonce from this
 * bridge. The bridge seals its responses, and logs neither requests nor responses.
 */
export class CameraSetup {
  readonly #parts: CameraSetupParts
  readonly #key: SealingKey
  readonly #nonces = new RequestNonces()
  readonly #attempts: LoginAttempts
  /** IP address → ONVIF services that the last network discovery found there. */
  #services: ReadonlyMap<string, readonly string[]> = new Map()
  #activeRequests = 0

  private constructor(key: SealingKey, parts: CameraSetupParts) {
    this.#key = key
    this.#parts = parts
    this.#attempts = parts.attempts ?? new LoginAttempts()
  }

  /**
   * Loads the sealing key and logs its fingerprint, which the owner compares with the fingerprint in the portal. Throws
   * a user-facing Error if the key is damaged or cannot be read.
   */
  static async open(data: string, parts: CameraSetupParts): Promise<CameraSetup> {
    const key = await loadSealingKey(data)
    warn(`You can add cameras in the portal. This hub's fingerprint code: ${await computeFingerprint(key.publicKey)}`)
    return new CameraSetup(key, parts)
  }

  sendSealingKey(ask_id: string): void {
    this.#parts.send({ type: 'door', ask_id, key: this.#key.publicKey, nonce: this.#nonces.create() })
  }

  /**
   * Decrypts and handles a sealed request. Ignores a request that has an unknown home or an invalid nonce, or that the
   * bridge cannot decrypt and parse.
   */
  async handleRequest(message: SealedMessage): Promise<void> {
    const { ask_id, home_id, sealed } = message
    if (!this.#nonces.consume(sealed.nonce) || !this.#parts.servesHome(home_id))
      return this.#logIgnoredRequest('has expired, was already used, or is for another home')
    let request: CameraRequest
    let channel: SealedChannel
    try {
      const context = createSealingContext(this.#parts.bridgeId, home_id)
      const parties = { bridgeKey: this.#key.publicKey, nonce: sealed.nonce, context }
      channel = await openChannelToPage(this.#key.secret, parties, sealed.page_key)
      request = parse(cameraRequest, await channel.open(sealed.box))
    } catch {
      return this.#logIgnoredRequest("couldn't be decrypted")
    }
    await this.#respond(
      request,
      home_id,
      createSealedResponder(channel, (box, over) => this.#send(ask_id, box, over)),
    )
  }

  #send(ask_id: string, box: string, over: boolean): void {
    this.#parts.send({ type: 'answer', ask_id, box, over })
  }

  #logIgnoredRequest(reason: string): void {
    log(`The hub ignored a request from the portal because the request ${reason}.`)
  }

  async #respond(request: CameraRequest, homeId: string, { sendAnswer, end }: SealedResponder): Promise<void> {
    if (this.#activeRequests >= MAX_REQUESTS) return end(BUSY_TEXT)
    this.#activeRequests++
    try {
      await this.#executeRequest(request, homeId, sendAnswer)
      await end('')
    } catch (error) {
      await end(getErrorMessage(error))
    } finally {
      this.#activeRequests--
    }
  }

  async #executeRequest(request: CameraRequest, homeId: string, sendAnswer: SendCameraAnswer): Promise<void> {
    if (request.ask === 'discover') return sendAnswer({ answer: 'found', ...(await this.#discover()) })
    if (request.ask === 'check') {
      const stored = request.device_id === undefined ? undefined : await this.#parts.find(request.device_id, homeId)
      const findServices = (address: string) => this.#services.get(address) ?? []
      const context = { attempts: this.#attempts, findServices, onvifPorts: this.#parts.onvifPorts }
      return void (await checkCamera(stored ? addStoredLogin(request, stored) : request, context, sendAnswer))
    }
    if (request.ask === 'streams' || request.ask === 'change') {
      const stored = await this.#parts.find(request.device_id, homeId)
      return sendAnswer(describeStoredStreams(request.ask === 'change' ? await this.#change(request, stored) : stored))
    }
    const url = addLogin(request.address, request)
    const sub = request.sub ? addLogin(request.sub, request) : request.sub
    sendAnswer({ answer: 'added', device_id: await this.#parts.add({ url, sub, name: request.name, home: homeId }) })
  }

  #change(request: Extract<CameraRequest, { ask: 'change' }>, stored: RtspCamera): Promise<RtspCamera> {
    const login = addStoredLogin(request, stored)
    const sub = request.sub ? addLogin(request.sub, login) : ''
    return this.#parts.change(request.device_id, { url: addLogin(request.address, login), sub })
  }

  async #discover(): Promise<{ cameras: FoundCamera[]; words: string }> {
    const { found, refused: failure } = await findOnvifCameras(this.#parts.probe)
    this.#services = Map.groupBy(
      found.map(({ service }) => service),
      (service) => new URL(service).hostname,
    )
    const cameras = await Promise.all(found.map(describeCamera))
    if (cameras.length > 0) return { cameras, words: '' }
    return { cameras, words: failure === undefined ? NONE_FOUND_TEXT : SCAN_REFUSED_TEXT }
  }
}

const NONE_FOUND_TEXT =
  'No cameras found. Your camera may be asleep, have ONVIF turned off, or be on another network. Enter its address instead.'
const SCAN_REFUSED_TEXT = 'Your hub couldn’t search its network. Enter the camera’s address instead.'

interface SealedResponder {
  readonly sendAnswer: SendCameraAnswer
  readonly end: (words: string) => Promise<void>
}

function createSealedResponder(channel: SealedChannel, send: (box: string, over: boolean) => void): SealedResponder {
  let last: Promise<void> = Promise.resolve()
  const sealAndSend = (answer: CameraAnswer) => {
    const box = channel.seal(answer)
    last = last.then(async () => send(await box, answer.answer === 'over'))
    return last
  }
  return {
    sendAnswer: (answer) => void sealAndSend(answer),
    end: (words) => sealAndSend({ answer: 'over', words: words.slice(0, 400) }),
  }
}

async function describeCamera({ host, name, brand, service }: DiscoveredCamera): Promise<FoundCamera> {
  const camera = { host: host.slice(0, 80), name: name.slice(0, 120), brand }
  try {
    const address = (await fetchStreamUrls(service, host))[0]?.slice(0, 500) ?? null
    return { ...camera, address, asks_for_user: false }
  } catch (error) {
    return { ...camera, address: null, asks_for_user: error instanceof SoapAuthError }
  }
}
