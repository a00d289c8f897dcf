import type { BrowserContext, Page } from 'puppeteer-core'

export interface Stage {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
  readonly isPhone: boolean
  readonly downloads: string
}

/** One user journey that starts with the sign-in. `go` throws an error with a sentence if a step fails. */
export interface Journey {
  readonly name: string
  /** Summary of a journey without problems. */
  readonly says: string
  go(stage: Stage): Promise<void>
}
