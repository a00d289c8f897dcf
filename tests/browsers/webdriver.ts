import { writeFileSync } from 'node:fs'
import type { KeyInput } from 'puppeteer-core'
import type { BrowserCookie, JourneyElement, JourneyPage } from './journey.ts'

/** Key of an element reference in messages (W3C WebDriver, Elements). */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'
type ElementReference = Readonly<Record<typeof ELEMENT_KEY, string>>

/** Code points of named keys (W3C WebDriver, Keyboard actions). */
const KEY_CODES: Readonly<Partial<Record<KeyInput, string>>> = {
  Enter: '\uE007',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowRight: '\uE014',
}

/** Sends a WebDriver command. Throws an error with the driver's message if the command fails. */
export async function sendCommand(driverUrl: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(driverUrl + path, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  const { error = 'unknown error', message = '' } = value as { error?: string; message?: string }
  throw new Error(`${method} ${path}: ${error}${message && `: ${message}`}`)
}

type RunCommand = (method: string, path: string, body?: object) => Promise<unknown>

/** Session of a browser over the W3C WebDriver protocol. */
export class WebDriverSession {
  readonly page: JourneyPage
  readonly #run: RunCommand

  constructor(driverUrl: string, sessionId: string) {
    this.#run = (method, path, body) => sendCommand(driverUrl, method, `/session/${sessionId}${path}`, body)
    this.page = createPage(this.#run)
  }

  /** Resizes the window until the page is `width` by `height` CSS px. Throws if the window cannot get this size. */
  async setViewport(width: number, height: number): Promise<void> {
    const readSize = () => this.page.evaluate(() => [innerWidth, innerHeight] as const)
    let frame = { x: 0, y: 0 }
    for (let attempt = 0; attempt < 20; attempt++) {
      await this.#run('POST', '/window/rect', { x: 0, y: 0, width: width + frame.x, height: height + frame.y })
      const [actualWidth, actualHeight] = await readSize()
      if (actualWidth === width && actualHeight === height) return
      frame = { x: frame.x + width - actualWidth, y: frame.y + height - actualHeight }
    }
    throw new Error(
      `The window cannot show a page of ${width} by ${height} px, but ${(await readSize()).join(' by ')}.`,
    )
  }

  async listCookies(): Promise<BrowserCookie[]> {
    return (await this.#run('GET', '/cookie')) as BrowserCookie[]
  }

  async saveScreenshot(path: string): Promise<void> {
    writeFileSync(path, Buffer.from(String(await this.#run('GET', '/screenshot')), 'base64'))
  }

  async close(): Promise<void> {
    await this.#run('DELETE', '')
  }
}

const isReference = (value: unknown): value is ElementReference =>
  typeof value === 'object' && value !== null && ELEMENT_KEY in value

function createPage(run: RunCommand): JourneyPage {
  const runText = (script: string, args: readonly unknown[]) => run('POST', '/execute/sync', { script, args })
  const runScript = (script: { toString(): string }, args: readonly unknown[]) =>
    runText(`return (${script.toString()})(...arguments)`, args)
  const performActions = (type: 'key' | 'pointer', actions: readonly object[]) =>
    run('POST', '/actions', { actions: [{ type, id: type, actions }] })
  const pressKeys = (keys: readonly string[]) =>
    performActions(
      'key',
      keys.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
    )
  const createElement = (reference: ElementReference): JourneyElement => ({
    evaluate: async <T>(script: (element: HTMLElement) => T) => (await runScript(script, [reference])) as T,
    async scrollIntoView() {
      await runScript((element: HTMLElement) => element.scrollIntoView({ block: 'center' }), [reference])
    },
    boundingBox: () => readBox(reference),
    async focus() {
      await runScript((element: HTMLElement) => element.focus(), [reference])
    },
    async type(text) {
      await run('POST', `/element/${reference[ELEMENT_KEY]}/value`, { text })
    },
  })
  const readBox = async (reference: ElementReference) =>
    (await runScript(
      (element: HTMLElement) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return width === 0 && height === 0 ? null : { x, y, width, height }
      },
      [reference],
    )) as Awaited<ReturnType<JourneyElement['boundingBox']>>
  const findElements = async (css: string) =>
    ((await run('POST', '/elements', { using: 'css selector', value: css })) as ElementReference[]).map(createElement)
  return {
    goto: (url) => run('POST', '/url', { url }),
    goBack: () => run('POST', '/back', {}),
    reload: () => run('POST', '/refresh', {}),
    url: async () => String(await run('GET', '/url')),
    evaluate: async <T, A extends readonly unknown[]>(script: (...args: A) => T, ...args: A) =>
      (await runScript(script, args)) as T,
    async findElement(find, ...args) {
      const found = await runScript(find, args)
      return isReference(found) ? createElement(found) : null
    },
    $eval: async <T>(css: string, script: (element: HTMLElement) => T) =>
      (await runText(`return (${script.toString()})(document.querySelector(arguments[0]))`, [css])) as T,
    $$eval: async <T, A extends readonly unknown[]>(
      css: string,
      script: (elements: HTMLElement[], ...args: A) => T,
      ...args: A
    ) => {
      const text = `const [css, ...rest] = arguments; return (${script.toString()})([...document.querySelectorAll(css)], ...rest)`
      return (await runText(text, [css, ...args])) as T
    },
    $: async (css) => (await findElements(css))[0] ?? null,
    $$: findElements,
    mouse: {
      async click(x, y) {
        const position = { x: Math.round(x), y: Math.round(y), origin: 'viewport' }
        const button = { button: 0 }
        await performActions('pointer', [
          { type: 'pointerMove', duration: 0, ...position },
          { type: 'pointerDown', ...button },
          { type: 'pointerUp', ...button },
        ])
      },
    },
    keyboard: {
      async press(key) {
        await pressKeys([KEY_CODES[key] ?? key])
      },
      async type(text) {
        await pressKeys([...text])
      },
    },
  }
}
