import { parse } from 'valibot'
import { cameraAsk, sealingContext, type CameraAnswer, type CameraAsk } from '../../contract/cameras/camera-setup.ts'
import type { BridgeMessage, ProviderMessage } from '../../contract/bridge/bridge-protocol.ts'
import { channelToPage, computeFingerprint, type SealedChannel } from '../../contract/bridge/sealed-channel.ts'
import type { ProbeOptions } from '../discovery/ws-discovery.ts'
import { log, getErrorMessage, warn } from '../runtime/log.ts'
import { parseRtspUrl } from '../sources/rtsp-address.ts'
import { check, type Tell } from './camera-check.ts'
import { scanNetworkCameras } from './network-scan.ts'
import { Nonces } from './request-nonces.ts'
import { loadSealingKey, type SealingKey } from './sealing-key.ts'

const ASKS_MAX = 4
const BUSY = 'The box is trying other cameras. Try again in a moment.'

type Sealed = Extract<ProviderMessage, { type: 'sealed' }>
type Typed = Extract<CameraAsk, { ask: 'check' | 'add' }>

export interface AddingParts {
  readonly bridgeId: string
  readonly serves: (homeId: string) => boolean
  readonly send: (message: BridgeMessage) => void
  /** Stores a camera and starts it. Returns its id. Throws an Error whose message is shown to the owner. */
  readonly add: (camera: { url: string; name: string; home: string }) => Promise<string>
  readonly probe?: ProbeOptions
}

/**
 * Adds cameras that owners enter on the web page. A request is sealed for this bridge's key with a single-use nonce;
 * its response is sealed for the page. Neither is ever logged.
 */
export class CameraSetup {
  private readonly parts: AddingParts
  private readonly key: SealingKey
  private readonly nonces = new Nonces()
  private working = 0

  private constructor(key: SealingKey, parts: AddingParts) {
    this.key = key
    this.parts = parts
  }

  /**
   * Logs the key's fingerprint, so that an owner can compare it. Throws an Error with a user-facing sentence if the key
   * cannot be read.
   */
  static async open(data: string, parts: AddingParts): Promise<CameraSetup> {
    const key = await loadSealingKey(data)
    warn(`Cameras can be added in the portal. Fingerprint of this bridge: ${await computeFingerprint(key.publicKey)}`)
    return new CameraSetup(key, parts)
  }

  door(ask_id: string): void {
    this.parts.send({ type: 'door', ask_id, key: this.key.publicKey, nonce: this.nonces.make() })
  }

  /**
   * Opens and handles a sealed request. Ignores a request that cannot be opened, because the page could not read a
   * response to it.
   */
  async handleRequest(message: Sealed): Promise<void> {
    const { ask_id, home_id, sealed } = message
    if (!this.nonces.use(sealed.nonce) || !this.parts.serves(home_id)) return this.refuse('was used before')
    let request: CameraAsk
    let channel: SealedChannel
    try {
      const context = sealingContext(this.parts.bridgeId, home_id)
      const parties = { bridgeKey: this.key.publicKey, nonce: sealed.nonce, context }
      channel = await channelToPage(this.key.secret, parties, sealed.page_key)
      request = parse(cameraAsk, await channel.open(sealed.box))
    } catch {
      return this.refuse('does not open')
    }
    await this.answer(
      request,
      home_id,
      answers(channel, (box, over) => this.send(ask_id, box, over)),
    )
  }

  private send(ask_id: string, box: string, over: boolean): void {
    this.parts.send({ type: 'answer', ask_id, box, over })
  }

  private refuse(why: string): void {
    log(`Something that was sealed for this bridge ${why}; it is left alone.`)
  }

  private async answer(request: CameraAsk, home: string, { tell, end }: Answers): Promise<void> {
    if (this.working >= ASKS_MAX) return end(BUSY)
    this.working++
    try {
      await this.act(request, home, tell)
      await end('')
    } catch (error) {
      await end(getErrorMessage(error))
    } finally {
      this.working--
    }
  }

  private async act(request: CameraAsk, home: string, tell: Tell): Promise<void> {
    if (request.ask === 'discover') return tell({ answer: 'found', ...(await scanNetworkCameras(this.parts.probe)) })
    const url = buildRtspUrl(request)
    if (request.ask === 'check') return void (await check(url, tell))
    tell({ answer: 'added', device_id: await this.parts.add({ url, name: request.name, home }) })
  }
}

interface Answers {
  readonly tell: Tell
  readonly end: (words: string) => Promise<void>
}

function answers(channel: SealedChannel, send: (box: string, over: boolean) => void): Answers {
  let last: Promise<void> = Promise.resolve()
  const next = (answer: CameraAnswer) => {
    const box = channel.seal(answer)
    last = last.then(async () => send(await box, answer.answer === 'over'))
    return last
  }
  return { tell: (answer) => void next(answer), end: (words) => next({ answer: 'over', words: words.slice(0, 400) }) }
}

/** Returns the address with user and password; separately typed credentials override those in the address. */
function buildRtspUrl({ address, user, password }: Typed): string {
  if (user === '' && password === '') return address
  const url = parseRtspUrl(address)
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  return url.href
}
