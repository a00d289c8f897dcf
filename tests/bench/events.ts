import { median, openBrowser, signedIn } from './browser.ts'
import type { Figure } from './main.ts'
import type { System } from './system.ts'

const RUNS = 7

/** Time from a click on an event to the first frame of its clip on screen. */
export async function measureEvents(system: System): Promise<Figure[]> {
  const browser = await openBrowser()
  const { page } = await signedIn(browser, system.origin, '/events')
  const clicks: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await page.goto(`${system.origin}/events`)
    const card = page.getByRole('main').getByRole('listitem').nth(run)
    await card.waitFor()
    clicks.push(
      await card.evaluate(
        (item) =>
          new Promise<number>((resolve) => {
            const started = performance.now()
            const watch = () => {
              const video = document.querySelector('video')
              if (video) video.requestVideoFrameCallback(() => resolve(performance.now() - started))
              else requestAnimationFrame(watch)
            }
            item.querySelector<HTMLElement>('a, button')?.click()
            watch()
          }),
      ),
    )
  }
  await browser.close()
  return [
    {
      what: 'events: click to first frame of the clip, median',
      value: median(clicks),
      unit: 'ms',
      goal: 150,
      bound: 'max',
    },
  ]
}
