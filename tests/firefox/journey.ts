import type { BrowserContext, Page } from 'puppeteer-core'

export interface Stage {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
  readonly isPhone: boolean
  /** The folder in which files are saved. */
  readonly downloads: string
}

/** What somebody does from signing in on; throws where it goes wrong, with a sentence. */
export interface Journey {
  readonly name: string
  /** What was seen where all went well. */
  readonly says: string
  go(stage: Stage): Promise<void>
}
