import type { ElementHandle, KeyInput, Page } from 'puppeteer-core'

/** Timeout for a condition, far longer than a busy machine needs. */
const TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 50

type Role = 'button' | 'combobox' | 'link' | 'radio'
export interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export function assert(holds: unknown, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence)
}

type Falsy = null | undefined | void | false | 0 | ''

/**
 * Calls `probe` until it returns a truthy value. Throws an error with `sentence` after 30 s. Retries if `probe` throws,
 * for example because the page navigates.
 */
export async function waitUntil<T>(sentence: string, probe: () => Falsy | T | Promise<Falsy | T>): Promise<T> {
  const deadlineMs = performance.now() + TIMEOUT_MS
  for (;;) {
    let cause: unknown
    const found = await Promise.resolve()
      .then(probe)
      .catch((error: unknown) => void (cause = error))
    if (found) return found
    if (performance.now() > deadlineMs) throw new Error(sentence, { cause })
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

/** Selector per role: a query by role over BiDi takes Firefox seconds while videos play. */
const SELECTORS_BY_ROLE: Readonly<Record<Role, string>> = {
  button: 'button',
  combobox: '[role=combobox]',
  link: 'a[href]',
  radio: 'input[type=radio]',
}

async function findElement(page: Page, role: Role, name: string): Promise<ElementHandle<HTMLElement> | null> {
  const found = await page.evaluateHandle(
    (css, accessibleName) =>
      [...document.querySelectorAll<HTMLElement>(css)].find((element) => {
        const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '') ?? element
        const accessibleLabel = element.getAttribute('aria-label') ?? label.textContent
        return accessibleLabel.trim() === accessibleName && element.checkVisibility({ visibilityProperty: true })
      }),
    SELECTORS_BY_ROLE[role],
    name,
  )
  return found.asElement() as ElementHandle<HTMLElement> | null
}

export const waitForElement = (page: Page, role: Role, name: string): Promise<ElementHandle<HTMLElement>> =>
  waitUntil(`There is no ${role} “${name}”.`, () => findElement(page, role, name))

export const isElementVisible = async (page: Page, role: Role, name: string): Promise<boolean> =>
  (await findElement(page, role, name)) !== null

/** Clicks the element with this role and name once it has stopped moving. */
export async function press(page: Page, role: Role, name: string): Promise<void> {
  await clickOn(page, await waitForElement(page, role, name))
}

export async function clickOn(page: Page, element: ElementHandle): Promise<void> {
  await element.scrollIntoView()
  const { x, y, width, height } = await waitUntilStill(element)
  await page.mouse.click(x + width / 2, y + height / 2)
}

/** Waits until two successive checks find an element at the same position. Returns its bounding box. */
export async function waitUntilStill(element: ElementHandle): Promise<Box> {
  let last = ''
  return waitUntil('The element does not stop moving.', async () => {
    const box = await element.boundingBox()
    const now = JSON.stringify(box)
    const isStill = box !== null && now === last
    last = now
    return isStill && box
  })
}

const readLabel = (input: HTMLInputElement): string => input.labels?.[0]?.textContent?.trim() ?? ''

export async function fillField(page: Page, name: string, text: string): Promise<void> {
  const field = await waitUntil(`There is no field “${name}”.`, async () => {
    for (const input of await page.$$('input')) if ((await input.evaluate(readLabel)) === name) return input
    return null
  })
  await field.evaluate((input) => input.select())
  await field.type(text)
}

/** Waits until the part of the URL after the origin matches. */
export async function expectUrl(page: Page, expected: string | RegExp): Promise<void> {
  const readPath = () => page.url().replace(/^https?:\/\/[^/]+/, '')
  const matches = () => (typeof expected === 'string' ? readPath() === expected : expected.test(readPath()))
  await waitUntil('', matches).catch((error: unknown) => {
    throw new Error(`The URL is ${readPath()}, not ${String(expected)}.`, { cause: error })
  })
}

export const readTexts = (page: Page, css: string): Promise<string[]> =>
  page.$$eval(css, (all) => all.map((element) => (element.textContent ?? '').trim()))

/** Waits until an element that matches the selector contains the text. */
export async function expectText(page: Page, css: string, text: string): Promise<void> {
  await waitUntil(`The page does not show “${text}”.`, async () =>
    (await readTexts(page, css)).some((candidate) => candidate.includes(text)),
  )
}

export const pressKey = (page: Page, name: KeyInput): Promise<void> => page.keyboard.press(name)

/** Waits until a video plays: its time must advance twice. */
export async function expectVideoPlaying(page: Page, css: string): Promise<void> {
  let last = Infinity
  let steps = 0
  await waitUntil(`The video ${css} does not play.`, async () => {
    const now = await page.$$eval(css, (all) => (all[0] as HTMLVideoElement | undefined)?.currentTime ?? -1)
    if (now > last) steps++
    last = now
    return steps >= 2
  })
}

export async function expectNoOverflow(page: Page): Promise<void> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert(overflowPx <= 0, `The page is ${overflowPx} px wider than the window.`)
}

/** Signs in on the provider's page, which the requested page redirects to. */
export async function signIn(page: Page, password = 'porchlight', email = 'owner@example.com'): Promise<void> {
  await fillField(page, 'Email', email)
  await fillField(page, 'Password', password)
  await press(page, 'button', 'Log in')
}
