/** The access matrix on a server with PostgreSQL, each operation by one caller who may, see `describe-matrix.ts`. */
import { describePostgres } from '../../harness/postgres/databases.ts';
import { describeMatrix } from './describe-matrix.ts';

describePostgres('on PostgreSQL', () => describeMatrix('postgres'));
