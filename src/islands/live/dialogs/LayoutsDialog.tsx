import { useStore } from '@nanostores/react'
import { useEffect, useState, type FormEvent } from 'react'
import { LAYOUT_NAME_MAX, type SavedLayout } from '../../../../contract/live/saved-layouts.ts'
import { closeDialog } from '../../../stores/live/camera-dialog.ts'
import {
  $savedLayouts,
  deleteLayout,
  hasRoom,
  loadSavedLayouts,
  renameLayout,
  saveLayout,
  showLayout,
} from '../../../stores/live/saved-layouts.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { LoadError } from '../../../ui/LoadError.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Problem } from '../../../ui/InlineError.tsx'
import { useAct } from '../../../ui/use-action.ts'

/** Saved layouts of the account: show, save, rename, delete. */
export function LayoutsDialog() {
  const layouts = useStore($savedLayouts)
  const { failure, run } = useAct()
  useEffect(() => void run(loadSavedLayouts), []) // eslint-disable-line react-hooks/exhaustive-deps
  return (
    <Dialog
      title="Saved layouts"
      note={<p>How the pictures stand, which cameras and in what order. They are there in every browser.</p>}
      onClose={closeDialog}
    >
      {failure && !layouts && <LoadError text={failure.text} again={() => void run(loadSavedLayouts)} />}
      {!failure && !layouts && <p className="text-small">Loading …</p>}
      {layouts && <SaveForm layouts={layouts} />}
      {layouts && layouts.length > 0 && (
        <ul className="share-list" aria-label="Saved layouts">
          {layouts.map((layout) => (
            <LayoutItem key={layout.name} layout={layout} />
          ))}
        </ul>
      )}
      {layouts?.length === 0 && <p className="text-small">None yet.</p>}
    </Dialog>
  )
}

function SaveForm({ layouts }: { layouts: readonly SavedLayout[] }) {
  const [name, setName] = useState('')
  const { isBusy, failure, run } = useAct()
  const isThere = layouts.some((layout) => layout.name === name.trim())
  if (!hasRoom(layouts) && !isThere && name === '') return <p className="text-small">Delete one to save another.</p>
  async function save(event: FormEvent) {
    event.preventDefault()
    if (await run(() => saveLayout(name))) setName('')
  }
  return (
    <form className="share-form" onSubmit={(event) => void save(event)}>
      <Field
        label="Save what you see now as"
        required
        pattern=".*\S.*"
        maxLength={LAYOUT_NAME_MAX}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setName(target.value)}
        hint={isThere && 'This name is there already. It will stand for what you see now.'}
        beside={
          <button type="submit" className="btn btn-primary" aria-disabled={isBusy}>
            {isBusy ? 'Saving' : 'Save'}
          </button>
        }
      />
      <Problem failure={failure} />
    </form>
  )
}

const MODES = { automatic: 'Automatic', focus: 'Focus', grid: 'Grid' }

function LayoutItem({ layout }: { layout: SavedLayout }) {
  const { name, mode, shown: cameraIds } = layout
  const [isRenaming, setRenaming] = useState(false)
  const { isBusy, failure, run } = useAct()
  async function show() {
    if (await run(() => showLayout(layout))) closeDialog()
  }
  if (isRenaming) return <RenameItem name={name} onDone={() => setRenaming(false)} />
  const cameras =
    cameraIds.length === 0 ? 'all cameras' : cameraIds.length === 1 ? '1 camera' : `${cameraIds.length} cameras`
  return (
    <li>
      <span>
        <b>{name}</b>
        <small>
          {MODES[mode]} · {cameras}
        </small>
        <Problem failure={failure} />
      </span>
      <button type="button" className="btn btn-sm btn-outline" aria-label={`Show ${name}`} onClick={() => void show()}>
        Show
      </button>
      <button
        type="button"
        className="btn btn-sm btn-outline"
        aria-label={`Rename ${name}`}
        onClick={() => setRenaming(true)}
      >
        Rename
      </button>
      <button
        type="button"
        className="btn btn-sm btn-danger"
        aria-label={`Delete ${name}`}
        aria-disabled={isBusy}
        onClick={() => void run(() => deleteLayout(name))}
      >
        Delete
      </button>
    </li>
  )
}

function RenameItem({ name, onDone }: { name: string; onDone: () => void }) {
  const [to, setTo] = useState(name)
  const { isBusy, failure, run } = useAct()
  async function save(event: FormEvent) {
    event.preventDefault()
    if (to.trim() === name || (await run(() => renameLayout(name, to)))) onDone()
  }
  return (
    <li>
      <form className="share-form layout-rename" onSubmit={(event) => void save(event)}>
        <Field
          label={`New name for ${name}`}
          autoFocus
          required
          pattern=".*\S.*"
          maxLength={LAYOUT_NAME_MAX}
          autoComplete="off"
          value={to}
          onChange={({ target }) => setTo(target.value)}
          beside={
            <button type="submit" className="btn btn-primary" aria-disabled={isBusy}>
              {isBusy ? 'Saving' : 'Rename'}
            </button>
          }
        />
        <Problem failure={failure} />
      </form>
    </li>
  )
}
