import type { KeyInput } from 'puppeteer-core'
import type { Box, JourneyElement, JourneyPage } from './journey.ts'

/** Timeout for a condition, far longer than a busy machine needs. */
const TIMEOUT_MS = 30_000
const POLL_INTERVAL_MS = 50

type Role = 'button' | 'combobox' | 'link' | 'radio'

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

const findElement = (page: JourneyPage, role: Role, name: string): Promise<JourneyElement | null> =>
  page.findElement(
    (css, accessibleName) =>
      [...document.querySelectorAll<HTMLElement>(css)].find((element) => {
        const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '') ?? element
        const accessibleLabel = element.getAttribute('aria-label') ?? label.textContent
        return accessibleLabel.trim() === accessibleName && element.checkVisibility({ visibilityProperty: true })
      }),
    SELECTORS_BY_ROLE[role],
    name,
  )

export const waitForElement = (page: JourneyPage, role: Role, name: string): Promise<JourneyElement> =>
  waitUntil(`There is no ${role} “${name}”.`, () => findElement(page, role, name))

export const isElementVisible = async (page: JourneyPage, role: Role, name: string): Promise<boolean> =>
  (await findElement(page, role, name)) !== null

/** Clicks the element with this role and name once it has stopped moving. Finds it again after each render. */
export async function press(page: JourneyPage, role: Role, name: string): Promise<void> {
  await waitForElement(page, role, name)
  await clickOn(page, () => findElement(page, role, name))
}

/** Clicks a radio button until it is selected. */
export async function selectRadio(page: JourneyPage, name: string): Promise<void> {
  await waitUntil(`The option “${name}” cannot be selected.`, async () => {
    await press(page, 'radio', name)
    return (await findElement(page, 'radio', name))?.evaluate((input) => (input as HTMLInputElement).checked)
  })
}

type FindElement = () => Promise<JourneyElement | null>

/** Clicks an element once it has stopped moving. `target`: the element, or a function that finds it. */
export async function clickOn(page: JourneyPage, target: JourneyElement | FindElement): Promise<void> {
  const find = typeof target === 'function' ? target : () => Promise.resolve(target)
  await waitUntil('The element cannot be scrolled into view.', async () => {
    const element = await find()
    await element?.scrollIntoView()
    return element !== null
  })
  const { x, y, width, height } = await waitUntilStill(find)
  await page.mouse.click(x + width / 2, y + height / 2)
}

/** Waits until two successive checks find an element at the same position. Returns its bounding box. */
export async function waitUntilStill(find: FindElement): Promise<Box> {
  let last = ''
  return waitUntil('The element does not stop moving.', async () => {
    const box = (await (await find())?.boundingBox()) ?? null
    const now = JSON.stringify(box)
    const isStill = box !== null && now === last
    last = now
    return isStill && box
  })
}

export async function fillField(page: JourneyPage, name: string, text: string): Promise<void> {
  const field = await waitUntil(`There is no field “${name}”.`, () =>
    page.findElement(
      (label) =>
        [...document.querySelectorAll('input')].find((input) => input.labels?.[0]?.textContent?.trim() === label),
      name,
    ),
  )
  await field.evaluate((input) => (input as HTMLInputElement).select())
  await field.type(text)
}

/** Waits until the part of the URL after the origin matches. */
export async function expectUrl(page: JourneyPage, expected: string | RegExp): Promise<void> {
  let path = ''
  const matches = async () => {
    path = (await page.url()).replace(/^https?:\/\/[^/]+/, '')
    return typeof expected === 'string' ? path === expected : expected.test(path)
  }
  await waitUntil('', matches).catch((error: unknown) => {
    throw new Error(`The URL is ${path}, not ${String(expected)}.`, { cause: error })
  })
}

export const readTexts = (page: JourneyPage, css: string): Promise<string[]> =>
  page.evaluate(
    (selector) => [...document.querySelectorAll(selector)].map((element) => element.textContent.trim()),
    css,
  )

/** Waits until an element that matches the selector contains the text. */
export async function expectText(page: JourneyPage, css: string, text: string): Promise<void> {
  await waitUntil(`The page does not show “${text}”.`, async () =>
    (await readTexts(page, css)).some((candidate) => candidate.includes(text)),
  )
}

export const pressKey = (page: JourneyPage, name: KeyInput): Promise<void> => page.keyboard.press(name)

/** Waits until a video plays: its time must advance twice. */
export async function expectVideoPlaying(page: JourneyPage, css: string): Promise<void> {
  let last = Infinity
  let steps = 0
  await waitUntil(`The video ${css} does not play.`, async () => {
    const now = await page.evaluate(
      (selector) => document.querySelector<HTMLVideoElement>(selector)?.currentTime ?? -1,
      css,
    )
    if (now > last) steps++
    last = now
    return steps >= 2
  })
}

export async function expectNoOverflow(page: JourneyPage): Promise<void> {
  const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert(overflowPx <= 0, `The page is ${overflowPx} px wider than the window.`)
}

/** Signs in on the provider's page, which the requested page redirects to. */
export async function signIn(page: JourneyPage, password = 'porchlight', email = 'owner@example.com'): Promise<void> {
  await fillField(page, 'Email', email)
  await fillField(page, 'Password', password)
  await press(page, 'button', 'Log in')
}
