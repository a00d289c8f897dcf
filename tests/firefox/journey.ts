import type { BrowserContext, Page } from 'puppeteer-core'

export interface Stage {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
  readonly isPhone: boolean
  readonly downloads: string
}

/** One user journey from the sign-in on; throws with a sentence if a step fails. */
export interface Journey {
  readonly name: string
  /** Summary of a journey without problems. */
  readonly says: string
  go(stage: Stage): Promise<void>
}
