import type { BrowserContext, Page } from 'puppeteer-core'

export interface JourneyEnvironment {
  readonly page: Page
  readonly context: BrowserContext
  readonly origin: string
  readonly isPhone: boolean
  readonly downloads: string
}

/**
 * One user journey that starts with the sign-in. If a step fails, `run` throws an error whose message is a sentence.
 */
export interface Journey {
  readonly name: string
  readonly summary: string
  run(environment: JourneyEnvironment): Promise<void>
}
