import type { ElementHandle, KeyInput, Page } from 'puppeteer-core'

/** Timeout for anything to appear, far longer than a busy machine needs. */
const PATIENCE_MS = 30_000
const LOOK_MS = 50

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

type Nothing = null | undefined | void | false | 0 | ''

/**
 * Calls `look` until it returns a truthy value. Throws an error with `sentence` after 30 s. Repeats a call that fails,
 * for example because the page navigates.
 */
export async function until<T>(sentence: string, look: () => Nothing | T | Promise<Nothing | T>): Promise<T> {
  const late = performance.now() + PATIENCE_MS
  for (;;) {
    let cause: unknown
    const found = await Promise.resolve()
      .then(look)
      .catch((error: unknown) => void (cause = error))
    if (found) return found
    if (performance.now() > late) throw new Error(sentence, { cause })
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** Selectors, to find elements in the page: over BiDi, Firefox takes seconds to return roles while videos play. */
const TAGS: Readonly<Record<Role, string>> = {
  button: 'button',
  combobox: '[role=combobox]',
  link: 'a[href]',
  radio: 'input[type=radio]',
}

/** Finds the visible element with this role and exactly this name. */
async function findElement(page: Page, role: Role, name: string): Promise<ElementHandle<HTMLElement> | null> {
  const found = await page.evaluateHandle(
    (css, accessibleName) =>
      [...document.querySelectorAll<HTMLElement>(css)].find((element) => {
        const label = document.getElementById(element.getAttribute('aria-labelledby') ?? '') ?? element
        const called = element.getAttribute('aria-label') ?? label.textContent
        return called.trim() === accessibleName && element.checkVisibility({ visibilityProperty: true })
      }),
    TAGS[role],
    name,
  )
  return found.asElement() as ElementHandle<HTMLElement> | null
}

export const find = (page: Page, role: Role, name: string): Promise<ElementHandle<HTMLElement>> =>
  until(`There is no ${role} “${name}”.`, () => findElement(page, role, name))

export const isThere = async (page: Page, role: Role, name: string): Promise<boolean> =>
  (await findElement(page, role, name)) !== null

/** Clicks the element with this role and name once it has stopped moving. */
export async function press(page: Page, role: Role, name: string): Promise<void> {
  await clickOn(page, await find(page, role, name))
}

export async function clickOn(page: Page, element: ElementHandle): Promise<void> {
  await element.scrollIntoView()
  const { x, y, width, height } = await settled(element)
  await page.mouse.click(x + width / 2, y + height / 2)
}

/** Waits until two successive checks find an element at the same position. Returns its bounding box. */
export async function settled(element: ElementHandle): Promise<Box> {
  let last = ''
  return until('It does not come to rest.', async () => {
    const box = await element.boundingBox()
    const now = JSON.stringify(box)
    const isStill = box !== null && now === last
    last = now
    return isStill && box
  })
}

const readLabel = (input: HTMLInputElement): string => input.labels?.[0]?.textContent?.trim() ?? ''

export async function fill(page: Page, name: string, text: string): Promise<void> {
  const field = await until(`There is no field “${name}”.`, async () => {
    for (const input of await page.$$('input')) if ((await input.evaluate(readLabel)) === name) return input
    return null
  })
  await field.evaluate((input) => input.select())
  await field.type(text)
}

/** Waits until the part of the URL after the origin matches. */
export async function address(page: Page, expected: string | RegExp): Promise<void> {
  const here = () => page.url().replace(/^https?:\/\/[^/]+/, '')
  const fits = () => (typeof expected === 'string' ? here() === expected : expected.test(here()))
  await until('', fits).catch((error: unknown) => {
    throw new Error(`The address is ${here()}, not ${String(expected)}.`, { cause: error })
  })
}

export const readTexts = (page: Page, css: string): Promise<string[]> =>
  page.$$eval(css, (all) => all.map((element) => (element.textContent ?? '').trim()))

/** Waits until an element that matches the selector contains the text. */
export async function says(page: Page, css: string, text: string): Promise<void> {
  await until(`“${text}” does not stand there.`, async () =>
    (await readTexts(page, css)).some((candidate) => candidate.includes(text)),
  )
}

export const key = (page: Page, name: KeyInput): Promise<void> => page.keyboard.press(name)

/** Waits until a video plays: its time must advance twice. */
export async function moves(page: Page, css: string): Promise<void> {
  let last = Infinity
  let steps = 0
  await until(`No picture of ${css} moves.`, async () => {
    const now = await page.$$eval(css, (all) => (all[0] as HTMLVideoElement | undefined)?.currentTime ?? -1)
    if (now > last) steps++
    last = now
    return steps >= 2
  })
}

export async function fits(page: Page): Promise<void> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  assert(over <= 0, `The page is ${over} px wider than the window.`)
}

/** Signs in on the provider's page, which the requested page redirects to. */
export async function signIn(page: Page, password = 'porchlight', email = 'owner@example.com'): Promise<void> {
  await fill(page, 'E-mail', email)
  await fill(page, 'Password', password)
  await press(page, 'button', 'Sign in')
}
