import { closeDialog } from '../../../stores/live/camera-dialog.ts'
import { Dialog } from '../../../ui/Dialog.tsx'

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['1', '…', '9'], 'Show that camera alone'],
  [['Enter'], 'Show the chosen camera alone, or all again'],
  [['Esc'], 'Back to all cameras'],
  [['←', '→', '↑', '↓'], 'Go to the next camera'],
  [['Shift', '← →'], 'Move the chosen camera to another place'],
  [['f'], 'Full screen'],
  [['m'], 'Sound on or off'],
  [['?'], 'Open this list'],
]

/** What the keyboard does on this page. */
export function KeysDialog() {
  return (
    <Dialog title="Keyboard shortcuts" onClose={closeDialog}>
      <dl className="key-list">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
