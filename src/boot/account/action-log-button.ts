/** /account/services: downloads the action log on request. */
document.getElementById('download-log')?.addEventListener('click', () => {
  void import('../frame/download-action-log.ts').then(({ downloadLog }) => downloadLog())
})
