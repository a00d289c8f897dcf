/** The environment's name where none is configured (OPEN-57). */
export const DEFAULT_ENVIRONMENT = 'beta'

/**
 * Names of the bindings that `npm start` writes to DATA/secrets.env and gives to both Workers. Origins have no trailing slash.
 * Each Worker checks what it needs once, at its first request, and answers 503 with the sentence when something is missing.
 */
export interface SharedEnvironment {
  readonly PORTAL_ORIGIN: string
  readonly PROVIDER_ORIGIN: string
  /** Domain (and its subdomains) that redirects may go to, e.g. `portal.example`. */
  readonly OWN_DOMAIN: string
  readonly PAYMENT_DOMAIN: string
  /** `DEFAULT_ENVIRONMENT` by default (OPEN-57). */
  readonly ENVIRONMENT: string
  readonly BUILD_ID: string
  /** "1" in local and preview runs: demo accounts exist and are shown on the sign-in page. */
  readonly DEMO: string
  readonly OIDC_ISSUER: string
  readonly OIDC_CLIENT_ID: string
  readonly OIDC_CLIENT_SECRET: string
  readonly MEDIA_KEY: string
  readonly SIGN_NEW_DEVICE: string
  readonly SIGN_V4_EVENT: string
  readonly SIGN_PLATFORM: string
  readonly SIGN_MEMBERSHIP_V2: string
  readonly SIGN_AI_EVENT_FEEDBACK: string
  readonly SIGN_AI_SUBSCRIPTION: string
  readonly SIGN_EVENT_DA: string
}

/** Only the portal's edge. */
export interface EdgeSecrets {
  /** Seals the transaction cookie and tags the session cookie. */
  readonly COOKIE_KEY: string
}

/** Only the provider. */
export interface ProviderSecrets {
  /** base64 of a private JWKS (RS256 or ES256) that signs ID tokens. */
  readonly PROVIDER_JWKS: string
  readonly PROVIDER_COOKIE_KEY: string
  /** Seals single-use tickets and upload grants. */
  readonly TICKET_KEY: string
  readonly ADMIN_KEY: string
  /** STUN and TURN servers that viewers are given, a JSON array as in get-streams; none by default. */
  readonly ICE_SERVERS?: string
  /** Bytes that all stored clips and pictures together may take; beyond that the oldest clips go. No limit by default. */
  readonly MEDIA_CAP_BYTES?: string
}

/** App info headers of every device and event call (OPEN-25). */
export const APP_INFO_HEADERS = ['app-id', 'app-version', 'platform', 'user-agent-code'] as const
/** The signature of a signed call (OPEN-21). */
export const SIGNATURE_HEADER = 'signature'
