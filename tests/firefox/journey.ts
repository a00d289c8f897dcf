import type { BrowserContext, Page } from 'puppeteer-core'

export interface JourneyStage {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
  readonly isPhone: boolean
  readonly downloads: string
}

/** One user journey that starts with the sign-in. `run` throws an error with a sentence if a step fails. */
export interface Journey {
  readonly name: string
  /** Summary of a journey without problems. */
  readonly summary: string
  run(stage: JourneyStage): Promise<void>
}
