import type { Page } from 'playwright/test'

/**
 * Moves the mouse with no button pressed, as if the button had been released outside the page, where the page gets no
 * event.
 */
export async function moveWithoutButton(page: Page, x: number, y: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'none', buttons: 0 })
  await cdp.detach()
}
