import type { Page } from 'playwright/test'

/** Moves the mouse with no button down: one that was held has been let go where the page did not hear of it. */
export async function moveLetGo(page: Page, x: number, y: number): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y, button: 'none', buttons: 0 })
  await cdp.detach()
}
