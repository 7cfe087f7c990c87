// Sqlrows streams the rows of a database cursor into a GCF table, one row in
// memory at a time.
package main

import (
	"database/sql"
	"io"
	"log"
	"os"

	_ "modernc.org/sqlite"

	"github.com/wirekit/wirekit/gcf"
	"github.com/wirekit/wirekit/sqlrows"
)

func main() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // every connection of :memory: is a database of its own
	if err := fill(db); err != nil {
		log.Fatal(err)
	}
	if err := stream(os.Stdout, db, "SELECT id, city, temperature, note FROM readings ORDER BY id"); err != nil {
		log.Fatal(err)
	}
}

func fill(db *sql.DB) error {
	_, err := db.Exec(`
		CREATE TABLE readings (id INTEGER PRIMARY KEY, city TEXT, temperature REAL, note TEXT);
		INSERT INTO readings (city, temperature, note) VALUES
			('Lagos', 31.5, NULL), ('Malmö', -2.25, 'snow | ice'), ('Osaka', 12, '');`)
	return err
}

// stream writes the rows of a query as one table.
func stream(w io.Writer, db *sql.DB, query string) error {
	rows, err := db.Query(query)
	if err != nil {
		return err
	}
	_, err = sqlrows.Write(gcf.Codec{}, w, rows)
	return err
}
