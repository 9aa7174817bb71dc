/** A landing is writing to the project. The transaction that finds it so begins again later; see `transactions.ts`. */
export class ProjectOccupied extends Error {
  constructor() {
    super('An upload to this project is being written.');
    this.name = 'ProjectOccupied';
  }
}
