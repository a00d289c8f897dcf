import type { Page } from 'playwright/test'

interface LayoutShift {
  readonly score: number
  /** Moved elements, such as `p.text-sm: 0,310 390x24 -> 0,311 390x24`. */
  readonly movedElements: readonly string[]
}

interface LayoutShiftEntry {
  readonly value: number
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRectReadOnly
    readonly currentRect: DOMRectReadOnly
  }[]
}

type LayoutShiftGlobal = typeof globalThis & { layoutShifts?: LayoutShift[] }

/** Records the layout shifts of each document that the page loads after this call. Each document has its own list. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: LayoutShift[] = ((globalThis as LayoutShiftGlobal).layoutShifts = [])
    const formatRect = ({ x, y, width, height }: DOMRectReadOnly) => `${x},${y} ${width}x${height}`
    const formatNode = (node: Node | null) =>
      node instanceof Element
        ? `${node.localName}.${node.getAttribute('class') ?? ''}`
        : (node?.textContent ?? 'removed')
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as unknown as LayoutShiftEntry[])
        shifts.push({
          score: value,
          movedElements: sources.map(
            ({ node, previousRect, currentRect }) =>
              `${formatNode(node)}: ${formatRect(previousRect)} -> ${formatRect(currentRect)}`,
          ),
        })
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

/** Lists the layout shifts of the current document. Throws if `recordLayoutShifts` was not called before it loaded. */
export const listLayoutShifts = (page: Page): Promise<LayoutShift[]> =>
  page.evaluate(() => {
    const { layoutShifts } = globalThis as LayoutShiftGlobal
    if (!layoutShifts) throw new Error('Layout shifts of this page are not recorded.')
    return layoutShifts
  })

export const readLayoutShift = async (page: Page): Promise<number> =>
  (await listLayoutShifts(page)).reduce((sum, { score }) => sum + score, 0)
