import type { KeyInput } from 'puppeteer-core'

export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Element of a page. The methods are those of Puppeteer. */
export interface JourneyElement {
  evaluate<T>(run: (element: HTMLElement) => T): Promise<T>
  scrollIntoView(): Promise<void>
  boundingBox(): Promise<Box | null>
  focus(): Promise<void>
  type(text: string): Promise<void>
}

/** Page of a browser. The methods are those of Puppeteer that the journeys use; functions run in the page. */
export interface JourneyPage {
  goto(url: string): Promise<unknown>
  goBack(): Promise<unknown>
  reload(): Promise<unknown>
  url(): string | Promise<string>
  evaluate<T, A extends readonly unknown[]>(run: (...args: A) => T, ...args: A): Promise<T>
  /** Returns the first element that `find` returns; null if there is none. */
  findElement<A extends readonly unknown[]>(
    find: (...args: A) => HTMLElement | null | undefined,
    ...args: A
  ): Promise<JourneyElement | null>
  /** Calls `run` with the first element that matches. Throws an error if there is none. */
  $eval<T>(css: string, run: (element: HTMLElement) => T): Promise<T>
  $$eval<T, A extends readonly unknown[]>(
    css: string,
    run: (elements: HTMLElement[], ...args: A) => T,
    ...args: A
  ): Promise<T>
  $(css: string): Promise<JourneyElement | null>
  $$(css: string): Promise<JourneyElement[]>
  readonly mouse: { click(x: number, y: number): Promise<void> }
  readonly keyboard: { press(key: KeyInput): Promise<void>; type(text: string): Promise<void> }
}

export interface BrowserCookie {
  readonly name: string
  readonly httpOnly?: boolean | undefined
}

/** Page in a new browser profile. */
export interface Visit {
  readonly page: JourneyPage
  /** Errors that the browser reports, such as console errors and failed requests; empty if it reports none. */
  readonly problems: readonly string[]
  /** Returns the cookies of the page's host. */
  listCookies(): Promise<readonly BrowserCookie[]>
  saveScreenshot(path: string): Promise<void>
  close(): Promise<void>
}

export interface TestedBrowser {
  readonly version: string
  /** Folder of downloaded files; null if the browser saves no files under WebDriver. */
  readonly downloads: string | null
  /** `width` of the window, CSS px. */
  openVisit(origin: string, width: number): Promise<Visit>
  close(): Promise<void>
}

export interface JourneyEnvironment {
  readonly page: JourneyPage
  readonly listCookies: Visit['listCookies']
  readonly origin: string
  readonly isPhone: boolean
  readonly downloads: string | null
  /** Creates an account that has a home without cameras, and returns its email address and password. */
  createAccount(): Promise<{ readonly email: string; readonly password: string }>
}

/**
 * One user journey that starts with the sign-in. If a step fails, `run` throws an error whose message is a sentence.
 */
export interface Journey {
  readonly name: string
  readonly summary: string
  run(environment: JourneyEnvironment): Promise<void>
}
