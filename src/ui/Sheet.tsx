import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

interface SheetProps {
  title: string
  note?: ReactNode
  onClose: () => void
  children: ReactNode
  /** Buttons that stay at the bottom while the content scrolls. */
  foot?: ReactNode
}

/** Dialog with a footer; on a phone, a bottom sheet. */
export function Sheet({ foot, children, ...dialog }: SheetProps) {
  return (
    <Dialog {...dialog}>
      <div className="sheet-body">{children}</div>
      {foot && <footer className="sheet-foot">{foot}</footer>}
    </Dialog>
  )
}
