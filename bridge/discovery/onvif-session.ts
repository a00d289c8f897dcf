import { RtspLogin } from '../sources/rtsp-login.ts'
import { callSoap, createSecurityHeader, SoapAuthError, type CameraUser, type SoapRequest } from './soap.ts'

type Call = Pick<SoapRequest, 'url' | 'namespace' | 'body'>

/**
 * ONVIF calls to one camera with one login. Each call goes out without the login first, until the camera has said how
 * to log in: with HTTP Digest, or else with WS-Security. The login is never sent as HTTP Basic. After a refusal, the
 * session does not send the login again, because cameras lock after a few wrong attempts.
 */
export class OnvifSession {
  readonly #user: CameraUser | undefined
  readonly #getCameraTime: () => Promise<Date | undefined>
  readonly #signal: AbortSignal
  readonly #digest: RtspLogin
  #scheme: 'none' | 'digest' | 'security' = 'none'
  #cameraTime: { readonly value: Date | undefined } | undefined
  #isRefused = false
  /** True if the camera has accepted the login. A later 401 then means that the nonce has expired. */
  #isAccepted = false

  constructor(user: CameraUser | undefined, getCameraTime: () => Promise<Date | undefined>, signal: AbortSignal) {
    this.#user = user
    this.#getCameraTime = getCameraTime
    this.#signal = signal
    const [username, password] = [encodeURIComponent(user?.name ?? ''), encodeURIComponent(user?.password ?? '')]
    this.#digest = new RtspLogin({ username, password })
  }

  /** True if the camera has refused the login. */
  get isRefused(): boolean {
    return this.#isRefused
  }

  /** Calls the camera. Throws SoapAuthError if the camera requires a login or has refused it. */
  async call(call: Call): Promise<string> {
    const wasLoginSent = this.#scheme !== 'none'
    try {
      const response = await this.#send(call)
      this.#isAccepted ||= wasLoginSent
      return response
    } catch (error) {
      if (!(error instanceof SoapAuthError) || !this.#user || this.#isRefused) throw error
      const isNonceExpired = this.#isAccepted || /\bstale *= *"?true/i.test(error.challenge)
      if (wasLoginSent && !isNonceExpired) return this.#refuse(error)
      this.#chooseScheme(error.challenge)
    }
    const response = await this.#send(call).catch((error: unknown) => this.#refuse(error))
    this.#isAccepted = true
    return response
  }

  #refuse(error: unknown): never {
    if (error instanceof SoapAuthError) this.#isRefused = true
    throw error
  }

  #chooseScheme(challenge: string): void {
    this.#scheme = 'security'
    this.#digest.storeChallenge({ start: '', headers: `WWW-Authenticate: ${challenge}\r\n`, body: '' })
    if (this.#digest.createAuthorization('POST', '/')?.startsWith('Digest ')) this.#scheme = 'digest'
  }

  async #send(call: Call): Promise<string> {
    const signal = this.#signal
    if (this.#isRefused) throw new SoapAuthError('not authorized')
    if (this.#scheme === 'digest') {
      const { pathname, search } = new URL(call.url)
      const authorization = this.#digest.createAuthorization('POST', `${pathname}${search}`)
      return callSoap({ ...call, authorization, signal })
    }
    return callSoap({ ...call, securityHeader: await this.#createSecurityHeader(), signal })
  }

  async #createSecurityHeader(): Promise<string> {
    if (this.#scheme === 'none' || !this.#user) return ''
    this.#cameraTime ??= { value: await this.#getCameraTime() }
    return createSecurityHeader(this.#user, this.#cameraTime.value ?? new Date())
  }
}
